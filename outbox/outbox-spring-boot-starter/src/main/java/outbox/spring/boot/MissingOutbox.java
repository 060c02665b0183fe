package outbox.spring.boot;

import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Why there is no outbox, and the way to one.
 *
 * @param reason what was found
 * @param action what to do
 */
record MissingOutbox(String reason, String action) {

  /** Looks at the data sources, without making any. */
  static MissingOutbox in(BeanFactory beans) {
    List<String> dataSources =
        beans instanceof ListableBeanFactory listable
            ? List.of(listable.getBeanNamesForType(DataSource.class, true, false))
            : List.of();
    return switch (dataSources.size()) {
      case 0 ->
          new MissingOutbox(
              "the outbox needs a DataSource but there is none",
              "set spring.datasource.url, or define a DataSource bean, or set outbox.enabled=false");
      case 1 ->
          new MissingOutbox(
              "there is a DataSource, but no outbox was made from it",
              "set outbox.enabled=true, and look at the conditions report (--debug) for"
                  + " OutboxAutoConfiguration");
      default ->
          new MissingOutbox(
              "the outbox needs one DataSource but there are " + dataSources + ", none primary",
              "mark the one your business transactions are on as @Primary, or set"
                  + " outbox.enabled=false");
    };
  }
}
