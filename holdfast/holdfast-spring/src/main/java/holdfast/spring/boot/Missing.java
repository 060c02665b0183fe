package holdfast.spring.boot;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.log.LibraryLogger;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Why a starter is there but not what it is to make, and the way to it. Immutable.
 *
 * @param reason what was found
 * @param action what to do
 */
public record Missing(String reason, String action) {

  /**
   * Why there is nothing that stands on a data source. Looks at the data sources without making
   * any.
   *
   * @param beans the application's beans
   * @param what what is missing, to be read after "the": {@code "event bus"}
   * @param key the first word of its properties: {@code "eventbus"}
   * @param configuration what would have made it
   */
  public static Missing onDataSource(
      BeanFactory beans, String what, String key, Class<?> configuration) {
    List<String> dataSources =
        beans instanceof ListableBeanFactory listable
            ? List.of(listable.getBeanNamesForType(DataSource.class, true, false))
            : List.of();
    return switch (dataSources.size()) {
      case 0 ->
          new Missing(
              "the " + what + " needs a DataSource but there is none",
              "set spring.datasource.url, or define a DataSource bean, or set "
                  + key
                  + ".enabled=false");
      case 1 ->
          new Missing(
              "there is a DataSource, but no " + what + " was made from it",
              "set %s.enabled=true, and look at the conditions report (--debug) for %s"
                  .formatted(key, configuration.getSimpleName()));
      default ->
          new Missing(
              "the %s needs one DataSource but there are %s, none primary"
                  .formatted(what, dataSources),
              "mark the one your business transactions are on as @Primary, or set "
                  + key
                  + ".enabled=false");
    };
  }

  /**
   * Says so in the log.
   *
   * @param library its name, which names the logger and begins the line
   * @param consequence what will not happen: {@code "no @EventBusHandler will be called"}
   */
  public void warn(String library, String consequence) {
    LibraryLogger.of(library)
        .log(WARNING, library + " is not there, " + consequence + ": " + reason + "; " + action);
  }
}
