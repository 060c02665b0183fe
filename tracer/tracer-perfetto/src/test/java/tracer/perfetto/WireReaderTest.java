package tracer.perfetto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class WireReaderTest {

  private static WireReader reader(WireWriter written) {
    return new WireReader(written.bytes(), 0, written.size());
  }

  private static WireReader reader(int... bytes) {
    byte[] message = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      message[i] = (byte) bytes[i];
    }
    return new WireReader(message, 0, message.length);
  }

  @Test
  void aFieldOfAnotherTypeThanTheOneAskedForIsMalformed() {
    WireWriter out = new WireWriter();
    out.field(1, 1_000_000);
    out.field(2, "text");
    WireReader reader = reader(out);

    assertThat(reader.next()).isTrue();
    assertThat(reader.number()).isEqualTo(1_000_000);
    assertThatThrownBy(reader::text)
        .isInstanceOf(WireReader.MalformedException.class)
        .hasMessage("field 1 must have type 2 but has 0");
    assertThatThrownBy(reader::message).isInstanceOf(WireReader.MalformedException.class);
    assertThat(reader.next()).isTrue();
    assertThat(reader.text()).isEqualTo("text");
    assertThatThrownBy(reader::number).hasMessage("field 2 must have type 0 but has 2");
    assertThat(reader.next()).isFalse();
    assertThat(reader.position()).isEqualTo(out.size());
  }

  @Test
  void fixedFieldsArePassedOverButAreNoNumbers() {
    WireReader reader = reader(1 << 3 | 5, 1, 2, 3, 4, 1 << 3 | 1, 1, 2, 3, 4, 5, 6, 7, 8);
    assertThat(reader.next()).isTrue();
    assertThatThrownBy(reader::number).hasMessage("field 1 must have type 0 but has 5");
    assertThat(reader.next()).isTrue();
    assertThatThrownBy(reader::number).hasMessage("field 1 must have type 0 but has 1");
    assertThat(reader.next()).isFalse();
  }

  @Test
  void fieldsWithoutANumberAndTypesThatDoNotExistAreMalformed() {
    for (WireReader reader :
        Arrays.asList(
            reader(0, 0),
            reader(1 << 3 | 3),
            reader(1 << 3 | 6, 0),
            reader(0xF8, 0xFF, 0xFF, 0xFF, 0xFF, 0x01, 0),
            reader(1 << 3 | 2, 5, 0),
            reader(1 << 3, 0x80))) {
      assertThatThrownBy(reader::next).isInstanceOf(WireReader.MalformedException.class);
    }
  }
}
