package failover.key.canonical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.StringValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Timestamp;
import com.google.protobuf.Value;
import failover.key.StoreKey;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Arguments that keep what they have computed in fields: equal keys, or none. */
@Timeout(60)
class CachedHashesTest {

  private static StoreKey key(Object arg) throws UnkeyableArgumentException {
    return CanonicalKeys.of("price", List.of(arg));
  }

  @Test
  void messagesAreKeyedByTheirContent() throws UnkeyableArgumentException {
    Timestamp fresh = Timestamp.newBuilder().setSeconds(7).build();
    StoreKey before = key(fresh);
    assertThat(fresh.hashCode()).isNotZero(); // is kept in a field from now on
    assertThat(fresh.getSerializedSize()).isPositive();

    assertThat(key(fresh)).isEqualTo(before);
    assertThat(key(Timestamp.newBuilder().setSeconds(7).build())).isEqualTo(before);
    assertThat(key(Timestamp.newBuilder().setSeconds(8).build())).isNotEqualTo(before);
    assertThat(key(Timestamp.newBuilder().setNanos(7).build())).isNotEqualTo(before);
  }

  @Test
  void messagesOfDifferentTypesHaveDifferentKeys() throws UnkeyableArgumentException {
    assertThat(key(Timestamp.getDefaultInstance())).isNotEqualTo(key(Struct.getDefaultInstance()));
  }

  @Test
  void aMessageThatWasReadIsKeyedAsOneThatWasBuilt()
      throws UnkeyableArgumentException, InvalidProtocolBufferException {
    StringValue built = StringValue.of("sku");
    StringValue read = StringValue.parseFrom(built.toByteString()); // its text is bytes until asked
    StoreKey before = key(read);
    assertThat(read.getValue()).isEqualTo("sku");

    assertThat(before).isEqualTo(key(built)).isEqualTo(key(read));
  }

  @Test
  void mapsOfMessagesAreKeyedInAnyOrder() throws UnkeyableArgumentException {
    Struct.Builder forth = Struct.newBuilder();
    Struct.Builder back = Struct.newBuilder();
    for (int i = 0; i < 50; i++) {
      forth.putFields("k" + i, number(i));
      back.putFields("k" + (49 - i), number(49 - i));
    }
    assertThat(key(forth.build())).isEqualTo(key(back.build()));
    assertThat(key(Map.of("a", forth.build()))).isEqualTo(key(Map.of("a", back.build())));
  }

  private static Value number(int value) {
    return Value.newBuilder().setNumberValue(value).build();
  }

  @Test
  void aMessageLargerThanTheLimitAllowsNoKey() {
    StringValue large = StringValue.of("x".repeat(CanonicalKeys.MOST_BYTES + 1));
    assertThatThrownBy(() -> key(large)).hasMessageContaining("no more than 1048576 bytes");
  }

  /** As value classes are written by hand, and by generators. */
  private static final class Sku {
    private final String text;
    private int hash;

    Sku(String text) {
      this.text = text;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Sku that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
      if (hash == 0) {
        hash = text.hashCode();
      }
      return hash;
    }
  }

  private static final class Boxed {
    private final String text;
    private Integer hash;

    Boxed(String text) {
      this.text = text;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Boxed that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
      if (hash == null) {
        hash = text.hashCode();
      }
      return hash;
    }
  }

  @Test
  void aClassThatKeepsItsHashAllowsNoKey() {
    for (Object arg : List.of(new Sku("a"), new Boxed("a"))) {
      assertThatThrownBy(() -> key(arg))
          .isInstanceOf(UnkeyableArgumentException.class)
          .hasMessageContaining("its field 'hash' does")
          .hasMessageContaining("give the point a key function");
      assertThatThrownBy(() -> key(arg)).as("again").isInstanceOf(UnkeyableArgumentException.class);
    }
    assertThat(KeyTypes.problem(Sku.class)).as("once it is known").isPresent();
  }

  private static final class Page {
    private int number;
    private long size;

    Page(int number, long size) {
      this.number = number;
      this.size = size;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Page that && number == that.number && size == that.size;
    }

    @Override
    public int hashCode() {
      return number;
    }
  }

  @Test
  void aBeanThatIsOnlyMutableIsKeyedByItsFields() throws UnkeyableArgumentException {
    assertThat(key(new Page(1, 1L << 40)))
        .isEqualTo(key(new Page(1, 1L << 40)))
        .isNotEqualTo(key(new Page(1, 2)))
        .isNotEqualTo(key(new Page(2, 1L << 40)));
  }

  /** A tree whose halves are the same object: its hash takes for ever. */
  private static final class Twin {
    private final Object half;
    private int size;

    Twin(Object half) {
      this.half = half;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Twin that && half.equals(that.half) && size == that.size;
    }

    @Override
    public int hashCode() {
      return half.hashCode() + half.hashCode();
    }
  }

  @Test
  void aHashThatTakesForEverIsNotAskedForWhereTheArgumentIsTooLarge() {
    Object shared = "leaf";
    for (int i = 0; i < 30; i++) {
      Object twin = new Twin(shared);
      shared = List.of(twin, twin);
    }
    Object argument = shared;
    assertThatThrownBy(() -> key(argument)).isInstanceOf(UnkeyableArgumentException.class);
  }

  @Test
  void bytesThatKeepTheirHashAllowNoKeyEither() {
    assertThatThrownBy(() -> key(ByteString.copyFromUtf8("a")))
        .isInstanceOf(UnkeyableArgumentException.class);
  }
}
