package holdfast.testkit.db;

import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;

/** One run of a test, against one kind of database. Safe for use by many threads. */
final class OneDatabase
    implements TestTemplateInvocationContext, BeforeEachCallback, ParameterResolver {

  private final DatabaseKind kind;
  private final Supplier<TestDatabase> database;

  OneDatabase(DatabaseKind kind, Supplier<TestDatabase> database) {
    this.kind = kind;
    this.database = database;
  }

  @Override
  public String getDisplayName(int invocationIndex) {
    return kind.name();
  }

  @Override
  public List<Extension> getAdditionalExtensions() {
    return List.of(this);
  }

  /** Opens the database here: an abort from a parameter resolver would count as a failure. */
  @Override
  public void beforeEach(ExtensionContext context) {
    open();
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestDatabase.class;
  }

  @Override
  public TestDatabase resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return open();
  }

  private TestDatabase open() {
    return database.get();
  }
}
