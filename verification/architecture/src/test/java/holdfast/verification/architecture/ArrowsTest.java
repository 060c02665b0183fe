package holdfast.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each arrow rule is shown a wrong arrow, which it must name, and a right one. */
class ArrowsTest {

  private static final String SPRING_BEAN =
      "package org.springframework.context; public class Bean {}";

  @ParameterizedTest
  @ValueSource(strings = {"outbox", "eventbus", "eventlog", "tracer", "failover", "relay", "sinks"})
  void aRoomThatUsesAnotherRoomIsNamed(String other) {
    assertThat(
            Sources.of(
                    "console/Panel.java",
                    "package console; class Panel { %s.B b; }".formatted(other))
                .and(other + "/B.java", "package %s; public class B {}".formatted(other))
                .breaking(Arrows.LIBRARIES_KNOW_NO_OTHER_LIBRARY))
        .singleElement()
        .asString()
        .contains("console.Panel", other + ".B");
  }

  @Test
  void anArrayOfAnotherRoomsTypeIsAnArrowToo() {
    assertThat(
            Sources.of("outbox/A.java", "package outbox; class A { tracer.B[][] b; }")
                .and("tracer/B.java", "package tracer; public class B {}")
                .breaking(Arrows.LIBRARIES_KNOW_NO_OTHER_LIBRARY))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line).contains("outbox.A", "tracer.B"));
  }

  @Test
  void onlySpringPackagesMayContributeToTheConsole() {
    Sources panel = Sources.of("console/Panel.java", "package console; public class Panel {}");

    assertThat(
            panel
                .and("outbox/spring/A.java", "package outbox.spring; class A { console.Panel p; }")
                .breaking(Arrows.LIBRARIES_KNOW_NO_OTHER_LIBRARY))
        .isEmpty();
    assertThat(
            panel
                .and("outbox/A.java", "package outbox; class A { console.Panel p; }")
                .breaking(Arrows.LIBRARIES_KNOW_NO_OTHER_LIBRARY))
        .singleElement()
        .asString()
        .contains("outbox.A");
  }

  @Test
  void aSpringPackageThatUsesAnotherRoomIsNamed() {
    assertThat(
            Sources.of("outbox/spring/A.java", "package outbox.spring; class A { tracer.B b; }")
                .and("tracer/B.java", "package tracer; public class B {}")
                .breaking(Arrows.LIBRARIES_KNOW_NO_OTHER_LIBRARY))
        .singleElement()
        .asString()
        .contains("outbox.spring.A");
  }

  @Test
  void aRelayMayUseTheOutboxAndNoOtherLibrary() {
    assertThat(
            Sources.of("relay/kafka/A.java", "package relay.kafka; class A { outbox.B b; }")
                .and("outbox/B.java", "package outbox; public class B {}")
                .breaking(Arrows.RELAYS_KNOW_THE_OUTBOX_ALONE))
        .isEmpty();
    assertThat(
            Sources.of("relay/kafka/A.java", "package relay.kafka; class A { tracer.B b; }")
                .and("tracer/B.java", "package tracer; public class B {}")
                .breaking(Arrows.RELAYS_KNOW_THE_OUTBOX_ALONE))
        .singleElement()
        .asString()
        .contains("relay.kafka.A", "tracer.B");
  }

  @Test
  void aSharedModuleThatUsesALibraryIsNamedAndALibraryMayUseIt() {
    assertThat(
            Sources.of("holdfast/id/Ids.java", "package holdfast.id; class Ids { outbox.A a; }")
                .and("outbox/A.java", "package outbox; public class A {}")
                .breaking(Arrows.SHARED_MODULES_KNOW_NO_LIBRARY))
        .singleElement()
        .asString()
        .contains("holdfast.id.Ids");
    assertThat(
            Sources.of("outbox/A.java", "package outbox; class A { holdfast.id.Ids ids; }")
                .and("holdfast/id/Ids.java", "package holdfast.id; public class Ids {}")
                .breaking(Arrows.SHARED_MODULES_KNOW_NO_LIBRARY))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"outbox", "outbox.springless", "holdfast.jdbc", "console"})
  void springOutsideASpringPackageIsNamed(String packageName) {
    assertThat(usingSpring(packageName).breaking(Arrows.SPRING_STAYS_IN_SPRING_PACKAGES))
        .singleElement()
        .asString()
        .contains(packageName + ".A");
  }

  @Test
  void anAnnotationOfSpringIsSpringToo() {
    assertThat(
            Sources.of("outbox/A.java", "package outbox; @org.springframework.core.Bean class A {}")
                .and(
                    "org/springframework/core/Bean.java",
                    "package org.springframework.core; public @interface Bean {}")
                .breaking(Arrows.SPRING_STAYS_IN_SPRING_PACKAGES))
        .singleElement()
        .asString()
        .contains("outbox.A");
  }

  @ParameterizedTest
  @ValueSource(strings = {"outbox.spring", "failover.spring.boot", "console.spring"})
  void springInASpringPackageIsFine(String packageName) {
    assertThat(usingSpring(packageName).breaking(Arrows.SPRING_STAYS_IN_SPRING_PACKAGES)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdbc", "spring", "caffeine", "perfetto"})
  void aCoreThatUsesATechnologyOfItsRoomIsNamedAndTheOtherWayRoundIsFine(String technology) {
    String path = "failover/%s/B.java".formatted(technology);

    assertThat(
            Sources.of(
                    "failover/store/A.java",
                    "package failover.store; class A { failover.%s.B b; }".formatted(technology))
                .and(path, "package failover.%s; public class B {}".formatted(technology))
                .breaking(Arrows.CORES_KNOW_NO_TECHNOLOGY))
        .singleElement()
        .asString()
        .contains("failover.store.A");
    assertThat(
            Sources.of("failover/store/A.java", "package failover.store; public class A {}")
                .and(
                    path,
                    "package failover.%s; class B { failover.store.A a; }".formatted(technology))
                .breaking(Arrows.CORES_KNOW_NO_TECHNOLOGY))
        .isEmpty();
  }

  @Test
  void aTechnologyThatUsesSpringPackagesIsNamedAndTheOtherWayRoundIsFine() {
    assertThat(
            Sources.of("outbox/jdbc/A.java", "package outbox.jdbc; class A { outbox.spring.B b; }")
                .and("outbox/spring/B.java", "package outbox.spring; public class B {}")
                .breaking(Arrows.TECHNOLOGIES_KNOW_NO_SPRING))
        .singleElement()
        .asString()
        .contains("outbox.jdbc.A");
    assertThat(
            Sources.of("outbox/jdbc/A.java", "package outbox.jdbc; public class A {}")
                .and("outbox/spring/B.java", "package outbox.spring; class B { outbox.jdbc.A a; }")
                .breaking(Arrows.TECHNOLOGIES_KNOW_NO_SPRING))
        .isEmpty();
  }

  @Test
  void packagesThatUseEachOtherAreNamed() {
    assertThat(
            Sources.of(
                    "tracer/ring/A.java",
                    "package tracer.ring; public class A { tracer.lane.B b; }")
                .and(
                    "tracer/lane/B.java",
                    "package tracer.lane; public class B { tracer.ring.A a; }")
                .breaking(Arrows.PACKAGES_FORM_NO_CYCLE))
        .singleElement()
        .asString()
        .contains("tracer.ring.A", "tracer.lane.B");
  }

  @Test
  void aCycleThroughTheFrontDoorIsFine() {
    assertThat(
            Sources.of("tracer/A.java", "package tracer; public class A { tracer.lane.B b; }")
                .and("tracer/lane/B.java", "package tracer.lane; public class B { tracer.A a; }")
                .breaking(Arrows.PACKAGES_FORM_NO_CYCLE))
        .isEmpty();
  }

  private static Sources usingSpring(String packageName) {
    return Sources.of(
            packageName.replace('.', '/') + "/A.java",
            "package %s; class A { org.springframework.context.Bean bean; }".formatted(packageName))
        .and("org/springframework/context/Bean.java", SPRING_BEAN);
  }
}
