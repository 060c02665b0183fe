package holdfast.testkit.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command line that runs a main class with this JVM's {@code java} and class path. Safe for use
 * by many threads.
 *
 * <p>It also tells the new JVM which build it belongs to, see {@link BuildProcess}.
 */
public final class JavaCommand {

  private JavaCommand() {}

  /**
   * The words of the command line, to be started as they are or behind another program's name.
   *
   * @param jvmOptions what goes before the class name, such as {@code -Xmx64m}
   * @param main the class whose {@code main} method runs
   * @param args what the main method is given
   */
  public static List<String> of(List<String> jvmOptions, Class<?> main, List<String> args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add("-D" + BuildProcess.PROPERTY + "=" + BuildProcess.current().pid());
    command.addAll(jvmOptions);
    command.add(main.getName());
    command.addAll(args);
    return List.copyOf(command);
  }
}
