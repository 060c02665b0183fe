package failover.key;

import static org.assertj.core.api.Assertions.assertThat;

import failover.key.canonical.CanonicalKeys;
import failover.key.canonical.KeyTypes;
import failover.key.canonical.UnkeyableArgumentException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The ids of keys are the same in every version: stored answers are found by them. */
class KeyIdsTest {
  record Id(String value) {}

  private static void is(String id, Object arg) throws UnkeyableArgumentException {
    StoreKey key = CanonicalKeys.of("price", Arrays.asList(arg));
    assertThat(key.id()).as("%s", arg).isEqualTo(id);
    assertThat(key.hasArguments()).isTrue();
    assertThat(StoreKey.stored("price", id).hasArguments()).isFalse();
  }

  static class WithoutEquals {}

  @Test
  void aKeyHasTheIdOfOneThatAStoreListsItBy() throws UnkeyableArgumentException {
    StoreKey key = CanonicalKeys.of("price", List.of("a"));
    assertThat(key.hasIdOf(StoreKey.stored("price", key.id()))).isTrue();
    assertThat(key.hasIdOf(StoreKey.stored("stock", key.id()))).isFalse();
    assertThat(key.hasIdOf(CanonicalKeys.of("price", List.of("b")))).isFalse();
  }

  @Test
  void itsArgumentsTakeTheirBytes() {
    assertThat(StoreKey.of("price", new byte[7]).estimatedBytes()).isEqualTo(7);
  }

  @Test
  void anArrayIsAsGoodAsItsElements() {
    assertThat(KeyTypes.problem(WithoutEquals.class)).isPresent();
    assertThat(KeyTypes.problem(WithoutEquals[].class)).isPresent();
    assertThat(KeyTypes.problem(Id[].class)).isEmpty();
    assertThat(KeyTypes.problem(int[].class)).isEmpty();
  }

  @Test
  void idsOfValuesAreForEver() throws UnkeyableArgumentException {
    is("a7162ed4-dc9a-dbda-f652-0e21469cc80d", (Object) null);
    is("f164c21e-7068-4fb3-783a-c7f4481ae9ab", "");
    is("3abd5787-481e-ff79-85a4-7d8c1e722a9c", "a");
    is("7c120cc7-3efc-204b-c46f-1791d0d6aeed", "\u20ac\uD800");
    is("96b8b424-c3d8-8b56-6707-d1059506d715", 1);
    is("dd877858-8458-7a21-85c2-f268b2caf133", -1);
    is("1f71d901-50f9-9e09-d5b9-ee18d185c9ec", 0x01020304);
    is("2c77d16a-2365-26f4-e29b-6ae8eecc959f", 1L);
    is("f97f341a-6260-8fdc-8cc1-c6046c370894", 0x0102030405060708L);
    is("2f753aa5-e051-cd1a-c87f-a8bb06aa5e7e", true);
    is("62641110-b57f-ec5f-1e38-747746e5807f", (byte) 1);
    is("983191bf-11b6-5e52-b59e-0828db69014a", (short) 1);
    is("e588ab34-c601-46d3-d019-02b12da0c326", '1');
    is("cfd4392f-06b3-29f2-2054-9cc1ed5e951f", 1.5f);
    is("7de2c161-b82b-811c-4796-964bb4c6efd8", -0.0);
    is("19b4ea8d-b1f3-cc50-39a3-5aa768f7fb0e", new BigDecimal("1.0"));
    is("78b843e3-b423-b2e8-c2a8-7a9a1826238c", new BigInteger("1"));
    is("1e96d340-7c91-b23d-3aba-3aff6427a13b", new UUID(1, 2));
    is("4197671d-67f9-4e1e-bbe1-3bb23b304bb1", Locale.GERMANY);
    is("cbd72ca4-e01d-d3fd-b719-bb414b4b51aa", LocalDate.EPOCH);
    is("5e6d8f5d-3423-0004-4e65-484822637053", Instant.EPOCH);
  }

  @Test
  void idsOfWhatIsMadeOfOthersAreForEver() throws UnkeyableArgumentException {
    is("c34e8d92-4920-d1da-cc41-42495b027956", Optional.empty());
    is("664d2d78-740c-3286-61d8-7f9c2bf970c8", Optional.of("a"));
    is("e3889e8a-9f30-3ff0-75c4-2601bdf7af81", List.of("a", "b"));
    is("428da374-de9d-d2d2-9c50-ced4382a7c03", List.of());
    is("0938431e-b2af-3a8b-ed02-71004c71007e", Set.of("a", "b"));
    is("dd3f759a-96a0-6e48-6e2c-96e9e5acd856", new ArrayDeque<>(List.of("a", "b")));
    is("f7be3ae8-d74c-7569-6f0d-92ae5e56d581", Map.of("a", 1, "b", 2));
    is("3e2c99bf-ae6b-1793-112f-df3c35a410a2", Map.entry("a", 1));
    is("e4ce0ec6-3d89-0351-d276-cd391b0d8c51", new String[] {"a", null});
    is("0b867966-488e-337f-5d12-272a51ecb8ab", new int[] {1, 2});
    is("e3f11564-ebf6-7c57-249c-fa2e88bb7090", new byte[] {1, 2});
    is("63721a4d-df09-9ba9-bee0-eb9ba65cfeda", new boolean[] {true, false});
    is("2c6b1a7c-74b1-dbc0-1e31-115b36606d6c", new double[] {1.5});
    is("3a60d213-f14c-3d62-43f3-07b080aec0b7", new float[] {1.5f});
    is("f3724361-c607-4846-d851-656f5cd684ea", new long[] {1});
    is("cc722ef9-0a7d-d653-b1d8-2bde7812ded1", new short[] {1});
    is("a6677fa0-d5f4-cb40-0617-9780bbc19627", new char[] {'a'});
    is("b9e293e6-6258-5e3e-26d5-00b389fa63d2", Thread.State.NEW);
    is("2f3d048c-2020-23c4-f69a-34e7e622c4b8", new Date(7));
    is("93a527d0-fa7a-88fc-e379-90162b08ade5", OptionalInt.of(1));
    is("a5b5ef8c-1965-73f0-8d08-5d77831512fc", String.class);
    assertThat(CanonicalKeys.ofText("price", "a").id())
        .isEqualTo("2848a48d-f956-91c8-ab60-86457fedbf80");
    assertThat(CanonicalKeys.of("price", List.of()).id())
        .isEqualTo("27f34be6-c9f1-9755-639e-bd690306d24a");
    assertThat(CanonicalKeys.of("price", List.of("a", "b")).id())
        .isEqualTo("251f1b8d-7339-5c8e-e0a7-85e6907b6e97");
    assertThat(CanonicalKeys.of("price", List.of(new Id("a"))).id())
        .isEqualTo("1e1c5bb9-e449-c257-c518-4f155a14939c");
  }

  @Test
  void hashesOfKeysAreSpread() throws UnkeyableArgumentException {
    Set<Integer> hashes = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      hashes.add(CanonicalKeys.of("price", List.of(i)).hashCode());
      hashes.add(CanonicalKeys.of("price", List.of("x".repeat(i % 7) + i)).hashCode());
      hashes.add(CanonicalKeys.of("price" + i, List.of()).hashCode());
    }
    assertThat(hashes).hasSizeGreaterThan(29_900);
  }

  @Test
  void argumentsThatTakeExactlyTheLimitHaveAKey() throws UnkeyableArgumentException {
    int around =
        10 + "byte".length() * Character.BYTES; // tags and counts of the list and the array
    assertThat(CanonicalKeys.of("price", List.of(new byte[CanonicalKeys.MOST_BYTES - around - 4])))
        .isNotNull();
  }
}
