package failover.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.annotation.JsonDeserialize;

class JacksonRulesTest {
  record Plain(String name) {}

  @JsonPropertyOrder("name")
  static class Harmless {
    @JsonProperty("n")
    private final String name;

    @JsonCreator
    @Deprecated
    Harmless(@JsonProperty("n") String name) {
      this.name = name;
    }

    @JsonIgnore
    String getName() {
      return name;
    }
  }

  @JsonFormat(shape = JsonFormat.Shape.ARRAY)
  record OnClass(String name) {}

  static class OnField {
    @JsonFormat(pattern = "x")
    String name = "";
  }

  static class OnMethod {
    @JsonDeserialize
    void setName(String name) {}
  }

  static class OnConstructor {
    @House
    OnConstructor(String name) {}
  }

  static class OnParameter {
    OnParameter(@JsonFormat String name) {}
  }

  @JacksonAnnotationsInside
  @Retention(RetentionPolicy.RUNTIME)
  @interface House {}

  static class OfTheHouse {
    @House String name = "";
  }

  static class Below extends OnField {}

  @JsonFormat
  interface Above {}

  static class Implementing implements Above {}

  @Test
  void annotationsThatChangeWhatIsWrittenAreFoundWherever() {
    for (Class<?> type :
        List.of(
            OnClass.class,
            OnField.class,
            OnMethod.class,
            OnConstructor.class,
            OnParameter.class,
            OfTheHouse.class,
            Below.class,
            Implementing.class)) {
      assertThat(JacksonRules.areOn(type)).as(type.getSimpleName()).isTrue();
      assertThat(JacksonRules.isAnyOn(type)).as(type.getSimpleName()).isTrue();
    }
  }

  @Test
  void othersAreNot() {
    for (Class<?> type : List.of(Plain.class, Harmless.class, ArrayList.class, Object.class)) {
      assertThat(JacksonRules.areOn(type)).as(type.getSimpleName()).isFalse();
      assertThat(JacksonRules.isAnyOn(type)).as(type.getSimpleName()).isFalse();
    }
  }
}
