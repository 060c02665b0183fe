package outbox.spring.boot;

import holdfast.spring.boot.MissingBeanAnalyzer;
import org.springframework.beans.factory.BeanFactory;
import outbox.OutboxClient;
import outbox.jdbc.JdbcOutbox;

/** Says why there is no outbox when something wants one. Stateless. */
final class MissingOutboxFailureAnalyzer extends MissingBeanAnalyzer {

  MissingOutboxFailureAnalyzer(BeanFactory beans) {
    super(
        () -> OutboxMissingAutoConfiguration.missing(beans), OutboxClient.class, JdbcOutbox.class);
  }
}
