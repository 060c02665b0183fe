package holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.jackson.JacksonPayloadMapper;
import holdfast.payload.PayloadMapper;
import holdfast.payload.Payloads;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

class PayloadsAutoConfigurationTest {

  private record Order(int orderId) {}

  private static ApplicationContextRunner runner() {
    return new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(PayloadsAutoConfiguration.class));
  }

  private static JsonMapper snakes() {
    return JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();
  }

  @Test
  void payloadsAreWrittenByJacksonAsItIs() {
    runner()
        .run(
            context ->
                assertThat(context.getBean(Payloads.class).write(new Order(1)))
                    .isEqualTo("{\"orderId\":1}"));
  }

  @Test
  void orAsTheApplicationsMapperDoes() {
    runner()
        .withBean(JsonMapper.class, PayloadsAutoConfigurationTest::snakes)
        .run(
            context ->
                assertThat(context.getBean(Payloads.class).write(new Order(1)))
                    .isEqualTo("{\"order_id\":1}"));
  }

  @Test
  void ofSeveralMappersWithoutAPrimaryOneNoneIsTaken() {
    runner()
        .withBean("one", JsonMapper.class, PayloadsAutoConfigurationTest::snakes)
        .withBean("other", JsonMapper.class, PayloadsAutoConfigurationTest::snakes)
        .run(
            context ->
                assertThat(context.getBean(Payloads.class).write(new Order(1)))
                    .isEqualTo("{\"orderId\":1}"));
  }

  @Test
  void theApplicationsOwnBeansAreTaken() {
    PayloadMapper mapper = new JacksonPayloadMapper(snakes());
    runner()
        .withBean(PayloadMapper.class, () -> mapper)
        .run(
            context -> {
              assertThat(context.getBean(PayloadMapper.class)).isSameAs(mapper);
              assertThat(context.getBean(Payloads.class).mapper()).isSameAs(mapper);
            });
    Payloads payloads = Payloads.of(mapper);
    runner()
        .withBean(Payloads.class, () -> payloads)
        .run(context -> assertThat(context.getBean(Payloads.class)).isSameAs(payloads));
  }

  @Test
  void withoutJacksonThereIsNoMapper() {
    runner()
        .withClassLoader(new FilteredClassLoader("tools.jackson"))
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(PayloadMapper.class));
  }

  @Test
  void withoutTheModuleThereIsNothing() {
    runner()
        .withClassLoader(new FilteredClassLoader(JacksonPayloadMapper.class))
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Payloads.class));
  }
}
