package tour;

import failover.FailoverResult;
import failover.Failovers;
import failover.jdbc.FailoverSchema;
import failover.jdbc.JdbcFailoverStore;
import failover.proxy.FailoverProxies;
import failover.store.AsyncFailoverStore;
import failover.store.FailoverStore;
import failover.store.InMemoryFailoverStore;
import failover.store.NearFarFailoverStore;
import failover.store.WriteSkippingFailoverStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import javax.sql.DataSource;

/** Asks the price service. Safe for use by many threads. */
final class PriceClient implements Prices {
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
  private final URI service;

  PriceClient(URI service) {
    this.service = service;
  }

  /** Stored answers, near in memory and far in the table that all nodes share. */
  static Failovers failovers(DataSource dataSource) {
    FailoverSchema.createIfMissing(dataSource);
    FailoverStore far =
        new AsyncFailoverStore(new WriteSkippingFailoverStore(new JdbcFailoverStore(dataSource)));
    return Failovers.builder(new NearFarFailoverStore(new InMemoryFailoverStore(), far)).build();
  }

  /** Prices that survive their service. */
  static Prices protectedBy(Failovers failovers, URI service) {
    return FailoverProxies.protect(failovers, Prices.class, new PriceClient(service));
  }

  @Override
  public FailoverResult<Price> priceOf(String item) throws IOException, InterruptedException {
    Instant asOf = Instant.now();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(service + "?" + item)).timeout(TIMEOUT).build();
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException("the price service answered " + answer.statusCode());
    }
    return FailoverResult.live(new Price(item, Long.parseLong(answer.body())), asOf);
  }
}
