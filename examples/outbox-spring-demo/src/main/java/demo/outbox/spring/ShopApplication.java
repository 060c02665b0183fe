package demo.outbox.spring;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A shop whose orders are mailed by way of the outbox. */
@SpringBootApplication
public class ShopApplication {

  /** For Spring. */
  public ShopApplication() {}

  /**
   * Starts the shop.
   *
   * @param args Spring's command line
   */
  public static void main(String[] args) {
    SpringApplication.run(ShopApplication.class, args);
  }
}
