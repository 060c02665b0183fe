package holdfast.verification.poms;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * A POM as it is written, before Maven inherits or replaces anything.
 *
 * @param path the folder it is in, from the root of the repository; empty for the root
 * @param project its outermost element
 */
record Pom(String path, Element project) {

  static Pom read(Path root, String path) throws IOException {
    return parse(path, Files.readString(root.resolve(path).resolve("pom.xml")));
  }

  static Pom parse(String path, String xml) throws IOException {
    try {
      DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
      // The default handler writes to the console before it throws; this one only throws.
      builder.setErrorHandler(new DefaultHandler());
      InputStream bytes = new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8));
      return new Pom(path, builder.parse(bytes).getDocumentElement());
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("a POM must be well-formed but is not: " + path, e);
    }
  }

  String artifactId() {
    return text(project, "artifactId");
  }

  String version() {
    return text(project, "version");
  }

  List<String> modules() {
    return at("modules", "module").map(module -> module.getTextContent().strip()).toList();
  }

  /** The artifacts this module depends on, as {@code artifactId}. */
  List<String> dependencies() {
    return at("dependencies", "dependency").map(each -> text(each, "artifactId")).toList();
  }

  Stream<Element> managedDependencies() {
    return at("dependencyManagement", "dependencies", "dependency");
  }

  Stream<Element> managedPlugins() {
    return at("build", "pluginManagement", "plugins", "plugin");
  }

  /** Every plugin, wherever it is written: managed, used, or in a profile. */
  Stream<Element> plugins() {
    return everywhere("plugin").filter(plugin -> parentName(plugin).equals("plugins"));
  }

  /** Every element of the name, at any depth. */
  Stream<Element> everywhere(String name) {
    NodeList found = project.getElementsByTagName(name);
    return IntStream.range(0, found.getLength()).mapToObj(found::item).map(Element.class::cast);
  }

  static String parentName(Element element) {
    return element.getParentNode().getNodeName();
  }

  /** The text of a child, or nothing if there is no such child. */
  static String text(Element parent, String name) {
    return children(parent, name)
        .map(child -> child.getTextContent().strip())
        .findFirst()
        .orElse("");
  }

  private Stream<Element> at(String... names) {
    Stream<Element> found = Stream.of(project);
    for (String name : names) {
      found = found.flatMap(element -> children(element, name));
    }
    return found;
  }

  private static Stream<Element> children(Element parent, String name) {
    NodeList nodes = parent.getChildNodes();
    return IntStream.range(0, nodes.getLength())
        .mapToObj(nodes::item)
        .filter(node -> node.getNodeType() == Node.ELEMENT_NODE && node.getNodeName().equals(name))
        .map(Element.class::cast);
  }
}
