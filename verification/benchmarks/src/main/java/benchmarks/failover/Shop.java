package benchmarks.failover;

import failover.Failover;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;

/** What is called: once for each way to protect it. */
public class Shop {
  private final IllegalStateException down = new IllegalStateException("down");
  private volatile boolean isDown;

  /** For Spring. */
  public Shop() {}

  /** An answer that cannot change. */
  public record Price(String sku, int cents) {}

  /** An answer that can. */
  public static final class Basket {
    private String sku = "";
    private int cents;

    /** For the codec. */
    public Basket() {}

    Basket(String sku, int cents) {
      this.sku = sku;
      this.cents = cents;
    }

    /** What is in it. */
    public String sku() {
      return sku;
    }

    /** What it costs. */
    public int cents() {
      return cents;
    }
  }

  /** Has every call fail from now on. */
  public void goDown() {
    isDown = true;
  }

  private int cents(String sku) {
    if (isDown) {
      throw down;
    }
    return sku.length();
  }

  /** Without anything but a proxy. */
  public Price plain(String sku) {
    return new Price(sku, cents(sku));
  }

  /** With an answer that cannot change. */
  @Failover(name = "price")
  public Price price(String sku) {
    return new Price(sku, cents(sku));
  }

  /** With an answer that can. */
  @Failover(name = "basket")
  public Basket basket(String sku) {
    return new Basket(sku, cents(sku));
  }

  /** Put into a cache each time. */
  @CachePut("prices")
  public Price put(String sku) {
    return new Price(sku, cents(sku));
  }

  /** Put into a cache of limited size each time. */
  @CachePut("bounded")
  public Price putBounded(String sku) {
    return new Price(sku, cents(sku));
  }

  /** Taken from a cache of limited size. */
  @Cacheable("bounded")
  public Price cachedBounded(String sku) {
    return new Price(sku, cents(sku));
  }

  /** Taken from a cache. */
  @Cacheable("prices")
  public Price cached(String sku) {
    return new Price(sku, cents(sku));
  }
}
