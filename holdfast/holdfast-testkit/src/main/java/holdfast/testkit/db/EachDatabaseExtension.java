package holdfast.testkit.db;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.h2.engine.Constants;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** Runs a test once for each kind of database. Safe for use by many threads: it holds nothing. */
final class EachDatabaseExtension implements TestTemplateInvocationContextProvider {

  /** The version of H2 that a run of the tests is about; unless it is set, all databases are. */
  private static final String H2_VERSION = "holdfast.testkit.h2";

  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(EachDatabaseExtension.class);

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return context.getRequiredTestMethod().isAnnotationPresent(EachDatabase.class);
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    EachDatabase each = context.getRequiredTestMethod().getAnnotation(EachDatabase.class);
    // The parent of a test method's context is that of its class: what it stores is closed after
    // the class.
    ExtensionContext.Store classStore = context.getParent().orElseThrow().getStore(NAMESPACE);
    return Arrays.stream(each.value())
        .filter(kind -> isAsked(kind, System.getProperty(H2_VERSION)))
        .map(
            kind ->
                new OneDatabase(
                    kind, () -> open(classStore, context.getRequiredTestClass(), kind)));
  }

  @Override
  public boolean mayReturnZeroTestTemplateInvocationContexts(ExtensionContext context) {
    return System.getProperty(H2_VERSION) != null;
  }

  /** Whether to run on a kind of database: only on H2 where its version was named. */
  static boolean isAsked(DatabaseKind kind, @Nullable String h2Version) {
    if (h2Version != null && !h2Version.equals(Constants.VERSION)) {
      throw new IllegalStateException(
          "H2 must be version %s, as property %s says, but the class path has %s"
              .formatted(h2Version, H2_VERSION, Constants.VERSION));
    }
    return h2Version == null || kind == DatabaseKind.H2;
  }

  private static TestDatabase open(
      ExtensionContext.Store store, Class<?> testClass, DatabaseKind kind) {
    // A store also looks into those around it: the class in the key keeps a nested class from
    // finding the database of the class it is in.
    return store.computeIfAbsent(
        new Key(testClass, kind), key -> open(key.kind()), TestDatabase.class);
  }

  private static TestDatabase open(DatabaseKind kind) {
    try {
      return TestDatabase.open(kind);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot create a database on " + kind.productName(), e);
    }
  }

  private record Key(Class<?> testClass, DatabaseKind kind) {}
}
