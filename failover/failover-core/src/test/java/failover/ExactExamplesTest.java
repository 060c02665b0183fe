package failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import failover.store.BytesStore;
import failover.store.FailoverStore;
import failover.store.InMemoryFailoverStore;
import java.io.IOException;
import java.lang.reflect.Type;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The examples of the page, one by one, near and far alike: exactly as it was, or not at all. */
class ExactExamplesTest {
  private static final List<Supplier<FailoverStore>> NEAR_AND_FAR =
      List.of(InMemoryFailoverStore::new, BytesStore::new);

  private static FailoverSpec<Object> spec(String name, Type type) {
    return FailoverSpec.ofType(name, type)
        .domain("orders")
        .pause(Duration.ZERO, Duration.ZERO)
        .build();
  }

  /** The answer of one version of a type is asked for as of another. */
  private static void isUnreadable(Object stored, Type asked) throws Exception {
    for (Supplier<FailoverStore> store : NEAR_AND_FAR) {
      try (Failovers failovers = Failovers.builder(store.get()).build()) {
        failovers.call(spec("before", stored.getClass()), List.of(), () -> stored);
        assertThat(failovers.counts().get("before").stored()).isEqualTo(1);
        isNotGiven(failovers, spec("after", asked));
        assertThat(failovers.counts().get("after").unreadable()).isEqualTo(1);
        assertThat(failovers.ledger().lostByReason()).containsEntry("unreadable", 1L);
      }
    }
  }

  private static void isNotGiven(Failovers failovers, FailoverSpec<Object> spec) {
    IOException down = new IOException("down");
    assertThatThrownBy(() -> failovers.call(spec, List.of(), failing(down))).isSameAs(down);
  }

  private static Source<Object, IOException> failing(IOException failure) {
    return () -> {
      throw failure;
    };
  }

  private static void isRefusedAtTheStart(Type type, String where) {
    for (Supplier<FailoverStore> store : NEAR_AND_FAR) {
      try (Failovers failovers = Failovers.builder(store.get()).build()) {
        assertThatThrownBy(() -> failovers.register(spec("point", type)))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("point")
            .hasMessageContaining(where);
      }
    }
  }

  private static void comesBack(Object answer, Type type) throws Exception {
    for (Supplier<FailoverStore> store : NEAR_AND_FAR) {
      try (Failovers failovers = Failovers.builder(store.get()).build()) {
        FailoverSpec<Object> spec = spec("point", type);
        failovers.call(spec, List.of(), () -> answer);
        assertThat(failovers.call(spec, List.of(), failing(new IOException("down"))))
            .isEqualTo(answer);
      }
    }
  }

  record Price(String sku, long cents) {}

  record PriceInCurrency(String sku, long cents, String currency) {}

  @Test
  void aNewComponentOfARecordIsNotTakenForNull() throws Exception {
    isUnreadable(new Price("a", 100), PriceInCurrency.class);
  }

  record Amount(double euros) {}

  record WholeAmount(long euros) {}

  @Test
  void decimalsAreNotCutOff() throws Exception {
    isUnreadable(new Amount(12.99), WholeAmount.class);
  }

  enum Size {
    SMALL,
    LARGE
  }

  record NumberedShirt(int size) {}

  record Shirt(Size size) {}

  @Test
  void aNumberIsNoConstantOfAnEnum() throws Exception {
    isUnreadable(new NumberedShirt(1), Shirt.class);
  }

  static class Animal {
    String name = "";
  }

  static class Dog extends Animal {
    int decibels = 90;
  }

  @Test
  void aDogDeclaredAsAnAnimalIsNotStored() {
    for (Supplier<FailoverStore> store : NEAR_AND_FAR) {
      try (Failovers failovers = Failovers.builder(store.get()).build()) {
        FailoverSpec<Object> spec = spec("point", Animal.class);
        Dog dog = new Dog();
        assertThat(failovers.call(spec, List.of(), () -> dog)).isSameAs(dog);
        assertThat(failovers.counts().get("point").storeFailures()).isEqualTo(1);
        isNotGiven(failovers, spec);
      }
    }
  }

  record WithIgnored(String sku, @JsonIgnore String supplier) {}

  @Test
  void aComponentThatIsNotWrittenIsRefused() {
    isRefusedAtTheStart(WithIgnored.class, "WithIgnored.supplier");
  }

  record WithWriteOnly(
      String sku, @JsonProperty(access = JsonProperty.Access.WRITE_ONLY) String supplier) {}

  @Test
  void soIsOneThatIsWriteOnly() {
    isRefusedAtTheStart(WithWriteOnly.class, "WithWriteOnly.supplier");
  }

  record Key(BigInteger modulus) {}

  @Test
  void anIntegerOf4096BitsComesBack() throws Exception {
    BigInteger large = BigInteger.ONE.shiftLeft(4_095).add(BigInteger.TEN);
    comesBack(large, BigInteger.class);
    comesBack(new Key(large.negate()), Key.class);
  }

  record Place(String street) {}

  @Test
  void aMapWhoseKeysAreRecordsIsRefused() {
    isRefusedAtTheStart(
        new TypeRef<Map<Place, String>>() {}.type(), "must not be the key of a map");
  }
}
