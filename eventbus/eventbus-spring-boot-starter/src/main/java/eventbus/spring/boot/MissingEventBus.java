package eventbus.spring.boot;

import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Why there is no event bus, and the way to one.
 *
 * @param reason what was found
 * @param action what to do
 */
record MissingEventBus(String reason, String action) {

  /** Looks at the data sources, without making any. */
  static MissingEventBus in(BeanFactory beans) {
    List<String> dataSources =
        beans instanceof ListableBeanFactory listable
            ? List.of(listable.getBeanNamesForType(DataSource.class, true, false))
            : List.of();
    return switch (dataSources.size()) {
      case 0 ->
          new MissingEventBus(
              "the event bus needs a DataSource but there is none",
              "set spring.datasource.url, or define a DataSource bean, or set"
                  + " eventbus.enabled=false");
      case 1 ->
          new MissingEventBus(
              "there is a DataSource, but no event bus was made from it",
              "set eventbus.enabled=true, and look at the conditions report (--debug) for"
                  + " EventBusAutoConfiguration");
      default ->
          new MissingEventBus(
              "the event bus needs one DataSource but there are " + dataSources + ", none primary",
              "mark the one your business transactions are on as @Primary, or set"
                  + " eventbus.enabled=false");
    };
  }
}
