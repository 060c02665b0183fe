package failover.key.canonical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Timestamp;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Date;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Shapes as they are found; keys use those that were found first. */
class ValueShapeTest {
  record Id(String value) {}

  enum Size {
    SMALL,
    LARGE {}
  }

  static class Above {
    static final String SHARED = "x";
    final int level = 1;

    @Override
    public boolean equals(Object other) {
      return other instanceof Above;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  static final class Below extends Above {
    final String name = "b";
  }

  static final class Names extends ArrayList<String> {
    private static final long serialVersionUID = 1;
    final String tag = "t";
  }

  static final class KeepsHash {
    int hash;
    int other;
    boolean isCold = true;

    @Override
    public boolean equals(Object other) {
      return other instanceof KeepsHash;
    }

    @Override
    public int hashCode() {
      hash = 7;
      isCold = false;
      return hash;
    }
  }

  static final class Warms {
    boolean isWarm;
    final int fixed = 3;
    String text = "a";

    @Override
    public boolean equals(Object other) {
      return other instanceof Warms;
    }

    @Override
    public int hashCode() {
      text = "b"; // of a type in which no hash is kept
      return 3;
    }
  }

  private static String written(Object value) throws UnkeyableArgumentException {
    KeyBytes out = new KeyBytes();
    ValueShape.find(value.getClass()).write(out, value, 0);
    return HexFormat.of().withUpperCase().formatHex(out.toBytes());
  }

  private static String text(String text) {
    return String.format("%08X", text.length())
        + HexFormat.of().withUpperCase().formatHex(text.getBytes(StandardCharsets.UTF_16BE));
  }

  @Test
  void textsAreTheirClassAndText() throws UnkeyableArgumentException {
    assertThat(written(new BigDecimal("1.0")))
        .isEqualTo("74" + text("java.math.BigDecimal") + text("1.0"));
    assertThat(written(LocalDate.EPOCH))
        .isEqualTo("74" + text("java.time.LocalDate") + text("1970-01-01"));
    assertThat(written(new Date(7))).isEqualTo("74" + text("java.util.Date") + text("7"));
    assertThat(written(Size.SMALL)).isEqualTo("74" + text(Size.class.getName()) + text("SMALL"));
    assertThat(written(Size.LARGE)).isEqualTo("74" + text(Size.class.getName()) + text("LARGE"));
  }

  @Test
  void othersAreTheirClassAndFields() throws UnkeyableArgumentException {
    assertThat(written(new Id("a"))).isEqualTo("66" + text(Id.class.getName()) + "73" + text("a"));
    assertThat(written(new Below()))
        .isEqualTo("66" + text(Below.class.getName()) + "73" + text("b") + "6900000001");
    Names names = new Names();
    names.add("a");
    assertThat(written(names))
        .isEqualTo(
            "66"
                + text(Names.class.getName())
                + "73"
                + text("t")
                + "4C00000001"
                + "73"
                + text("a"));
  }

  @Test
  void messagesAreTheirClassAndBytes() throws UnkeyableArgumentException {
    Timestamp message = Timestamp.newBuilder().setSeconds(7).build();
    assertThat(written(message))
        .isEqualTo("70" + text(Timestamp.class.getName()) + "00000002" + "0807");
  }

  @Test
  void whatHasNoValueIsNotWritten() {
    for (Object value : new Object[] {new Object(), Clock.systemUTC()}) {
      assertThatThrownBy(() -> written(value)).isInstanceOf(UnkeyableArgumentException.class);
    }
    assertThat(ValueShape.find(Runnable.class).problem()).contains("must have value equality");
    assertThat(ValueShape.find(Id.class).problem()).isNull();
  }

  @Test
  void aClassThatKeepsItsHashIsUnkeyableFromThenOn() throws UnkeyableArgumentException {
    ValueShape shape = ValueShape.find(KeepsHash.class);
    assertThat(shape.problem()).isNull();
    assertThatThrownBy(() -> shape.write(new KeyBytes(), new KeepsHash(), 0))
        .hasMessageContaining("its field 'hash' does");
    assertThat(shape.problem()).contains("'hash'");
    assertThatThrownBy(() -> shape.write(new KeyBytes(), new KeepsHash(), 0))
        .isInstanceOf(UnkeyableArgumentException.class);
    assertThat(written(new Warms())).isNotEmpty();
  }
}
