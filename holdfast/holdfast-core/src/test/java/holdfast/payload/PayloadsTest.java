package holdfast.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.retry.NonRetryable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadsTest {
  private static final Payloads PAYLOADS = Payloads.of(new Numbers());

  @PayloadType("OrderPlaced")
  private record Order(int id) {}

  private record Invoice(int id) {}

  private record Bill(int id) {}

  @PayloadType(" OrderPlaced")
  private record Spaced() {}

  /** Orders as their number. */
  private static final class Numbers implements PayloadMapper {
    @Override
    public String write(Object payload) {
      return Integer.toString(((Order) payload).id());
    }

    @Override
    public <P> P read(String json, Class<P> type) {
      return type.cast(new Order(Integer.parseInt(json)));
    }
  }

  @Test
  void theTypeOfAClassIsThatOfItsAnnotation() {
    assertThat(PAYLOADS.typeOf(Order.class)).isEqualTo("OrderPlaced");
  }

  @Test
  void theTypeOfAClassWithoutTheAnnotationIsTheRegisteredOne() {
    Payloads payloads = PAYLOADS.with(Invoice.class, "InvoiceWritten");

    assertThat(payloads.typeOf(Invoice.class)).isEqualTo("InvoiceWritten");
    assertThat(payloads.typeOf(Order.class)).isEqualTo("OrderPlaced");
  }

  @Test
  void registeringLeavesTheOthersAsTheyWere() {
    PAYLOADS.with(Invoice.class, "InvoiceWritten");

    assertThatIllegalArgumentException().isThrownBy(() -> PAYLOADS.typeOf(Invoice.class));
  }

  @Test
  void aClassWithoutATypeIsRefusedWithTheFix() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PAYLOADS.typeOf(Invoice.class))
        .withMessage(
            "payload class holdfast.payload.PayloadsTest$Invoice must have an event type but has"
                + " none; put @PayloadType(\"Invoice\") on it, or register it with"
                + " Payloads.with(Invoice.class, \"Invoice\")");
  }

  @Test
  void ofATextOrAMapTheFixIsToPublishItAsJsonWithItsType() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PAYLOADS.typeOf("{}".getClass()))
        .withMessageContaining("payload class java.lang.String must have an event type")
        .withMessageContaining("EventEnvelope.builder(type).payloadJson(json)");
    assertThat(PAYLOADS.with(String.class, "Note").typeOf(String.class)).isEqualTo("Note");
  }

  @Test
  void twoClassesForOneTypeAreRefused() {
    Payloads payloads = PAYLOADS.with(Invoice.class, "InvoiceWritten");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> payloads.with(Bill.class, "InvoiceWritten"))
        .withMessageContaining("event type 'InvoiceWritten' must be published from one class")
        .withMessageContaining("PayloadsTest$Invoice and holdfast.payload.PayloadsTest$Bill");
  }

  @Test
  void twoTypesForOneClassAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PAYLOADS.with(Order.class, "OrderShipped"))
        .withMessageContaining("must have one event type but has 'OrderPlaced' and 'OrderShipped'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PAYLOADS.with(Bill.class, "A").with(Bill.class, "B"))
        .withMessageContaining("'A' and 'B'");
  }

  @Test
  void theSameTypeMayBeRegisteredAgain() {
    Payloads payloads = PAYLOADS.with(Order.class, "OrderPlaced").with(Bill.class, "Bill");

    assertThat(payloads.with(Bill.class, "Bill").typeOf(Bill.class)).isEqualTo("Bill");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "x ", " x"})
  void aTypeThatNoEventCanHaveIsRefused(String type) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PAYLOADS.with(Bill.class, type))
        .withMessageContaining("must have 1 to 128 characters and no white space at its ends")
        .withMessageContaining("'" + type + "'");
  }

  @Test
  void aTypeMayHave128Characters() {
    String longest = "x".repeat(128);

    assertThat(PAYLOADS.with(Bill.class, longest).typeOf(Bill.class)).isEqualTo(longest);
    assertThatIllegalArgumentException().isThrownBy(() -> PAYLOADS.with(Bill.class, longest + "x"));
  }

  @Test
  void anAnnotationWithSuchATypeIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PAYLOADS.typeOf(Spaced.class))
        .withMessageContaining("' OrderPlaced'");
  }

  @Test
  void theMapperWritesAndReads() {
    assertThat(PAYLOADS.write(new Order(7))).isEqualTo("7");
    assertThat(PAYLOADS.read("7", Order.class)).isEqualTo(new Order(7));
  }

  @Test
  void bytesCannotBeReadAndNeverWillBe() {
    assertThatThrownBy(() -> PAYLOADS.read(null, Order.class))
        .isInstanceOf(PayloadException.class)
        .isInstanceOf(NonRetryable.class)
        .hasMessageContaining("PayloadsTest$Order but is bytes");
  }

  @Test
  void withoutAMapperOnTheClassPathTheFirstUseSaysWhatToAdd() {
    Payloads payloads = Payloads.discovered();

    assertThat(payloads.typeOf(Order.class)).isEqualTo("OrderPlaced");
    assertThatIllegalStateException()
        .isThrownBy(() -> payloads.write(new Order(1)))
        .withMessage(
            "payloads need a PayloadMapper but no PayloadMapper is on the class path; add"
                + " io.holdfast:holdfast-jackson and tools.jackson.core:jackson-databind, or pass"
                + " one with payloads(Payloads.of(...))");
  }
}
