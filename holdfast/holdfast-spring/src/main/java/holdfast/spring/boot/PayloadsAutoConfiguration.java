package holdfast.spring.boot;

import holdfast.jackson.JacksonPayloadMapper;
import holdfast.payload.PayloadMapper;
import holdfast.payload.Payloads;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/**
 * The payload classes of an application with the outbox or the event bus. Every bean gives way to
 * the application's own. Stateless.
 */
@AutoConfiguration
@ConditionalOnClass(JacksonPayloadMapper.class)
public class PayloadsAutoConfiguration {

  /** For Spring. */
  public PayloadsAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  Payloads holdfastPayloads(ObjectProvider<PayloadMapper> mapper) {
    PayloadMapper given = mapper.getIfAvailable();
    return given == null ? Payloads.discovered() : Payloads.of(given);
  }

  /** Writes and reads as the application does. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(JsonMapper.class)
  static class WithJackson {

    @Bean
    @ConditionalOnMissingBean(PayloadMapper.class)
    JacksonPayloadMapper holdfastPayloadMapper(ObjectProvider<JsonMapper> mapper) {
      return new JacksonPayloadMapper(mapper.getIfUnique(JsonMapper::shared));
    }
  }
}
