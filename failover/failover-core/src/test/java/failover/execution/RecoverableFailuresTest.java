package failover.execution;

import static org.assertj.core.api.Assertions.assertThat;

import feign.FeignException;
import jakarta.validation.ConstraintViolationException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.springframework.web.client.HttpClientErrorException;

class RecoverableFailuresTest {
  private final Predicate<Throwable> recoverable = RecoverableFailures.byDefault();

  @Test
  void troubleOfTheSourceIsRecovered() {
    for (Throwable failure :
        List.of(
            new IOException(),
            new TimeoutException(),
            new IllegalStateException(),
            new FeignException(500),
            new FeignException(-1),
            new FeignException(408),
            new FeignException(425),
            new FeignException(429),
            new HttpClientErrorException(429),
            new HttpClientErrorException(503))) {
      assertThat(recoverable).as(failure.toString()).accepts(failure);
    }
  }

  @Test
  void whatOnlyLooksLikeAMistakeOfTheCallerIsRecovered() {
    for (Throwable failure :
        List.of(
            new UnresolvedAddressException(),
            new UnsupportedAddressTypeException(),
            new UnsupportedCharsetException("x-of-the-answer"),
            new IllegalCharsetNameException("?"))) {
      assertThat(recoverable).as(failure.toString()).accepts(failure);
    }
  }

  @Test
  void mistakesAndWishesOfCallersAreNot() {
    for (Throwable failure :
        List.of(
            new IllegalArgumentException(),
            new ConstraintViolationException(),
            new InterruptedException(),
            new CancellationException(),
            new FeignException(400),
            new FeignException(404),
            new HttpClientErrorException(404),
            new HttpClientErrorException(499))) {
      assertThat(recoverable).as(failure.toString()).rejects(failure);
      assertThat(RecoverableFailures.any()).accepts(failure);
    }
  }

  @Test
  void whatIsNamedIsRecoveredAndWhatIsExceptedIsNot() {
    Predicate<Throwable> some =
        RecoverableFailures.of(List.of(IOException.class), List.of(FileNotFoundException.class));
    assertThat(some).accepts(new IOException(), new UnknownHostException());
    assertThat(some).rejects(new FileNotFoundException(), new TimeoutException());
    Predicate<Throwable> others = RecoverableFailures.of(List.of(), List.of(IOException.class));
    assertThat(others).accepts(new TimeoutException());
    assertThat(others).rejects(new IOException(), new IllegalArgumentException());
  }
}
