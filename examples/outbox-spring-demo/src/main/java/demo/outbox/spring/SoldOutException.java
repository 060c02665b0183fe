package demo.outbox.spring;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;

/** There is nothing left to sell. */
@ResponseStatus(HttpStatus.CONFLICT)
final class SoldOutException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SoldOutException(String item) {
    super("sold out: " + item);
  }
}
