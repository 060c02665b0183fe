package failover.types;

import static org.assertj.core.api.Assertions.assertThat;

import failover.TypeRef;
import java.lang.reflect.Type;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ImmutableTypesTest {
  record Plain(String a, int b, Instant c, Optional<String> d) {}

  record WithList(String a, List<String> b) {}

  record WithArray(byte[] a) {}

  record Tree(Tree left, Tree right, String value) {}

  record BadTree(BadTree left, StringBuilder value) {}

  record Box<T>(T content) {}

  record BoxOfBox<T>(Box<T> box) {}

  enum Color {
    RED
  }

  sealed interface Good permits Plain2, Color2 {}

  record Plain2(int a) implements Good {}

  enum Color2 implements Good {
    BLUE
  }

  sealed interface Bad permits Mutable {}

  static final class Mutable implements Bad {}

  @Test
  void recordsEnumsAndValuesAreImmutable() {
    for (Type type :
        List.of(
            String.class,
            int.class,
            Instant.class,
            Plain.class,
            Tree.class,
            Color.class,
            Good.class,
            new TypeRef<Optional<Plain>>() {}.type(),
            new TypeRef<Box<String>>() {}.type(),
            new TypeRef<BoxOfBox<Plain>>() {}.type())) {
      assertThat(ImmutableTypes.contains(type)).as(type.toString()).isTrue();
    }
  }

  @Test
  void whatMayHoldSomethingMutableIsNot() {
    for (Type type :
        List.of(
            Object.class,
            StringBuilder.class,
            Clock.class,
            WithList.class,
            WithArray.class,
            BadTree.class,
            Bad.class,
            Box.class,
            String[].class,
            new TypeRef<List<String>>() {}.type(),
            new TypeRef<Optional<List<String>>>() {}.type(),
            new TypeRef<Box<String>[]>() {}.type(),
            new TypeRef<Box<StringBuilder>>() {}.type(),
            new TypeRef<BoxOfBox<StringBuilder>>() {}.type())) {
      assertThat(ImmutableTypes.contains(type)).as(type.toString()).isFalse();
    }
  }

  record Pair(BoxOfBox<Integer> a, BoxOfBox<List<String>> b) {}

  @Test
  void aGenericTypeIsJudgedForEachOfItsArguments() {
    assertThat(ImmutableTypes.contains(Pair.class)).isFalse();
  }
}
