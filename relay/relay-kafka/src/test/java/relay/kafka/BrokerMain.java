package relay.kafka;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import kafka.Kafka;
import kafka.tools.StorageTool;

/** A Kafka broker that is its own controller: formats its directory once, and runs. */
final class BrokerMain {
  private static final String CLUSTER = "aG9sZGZhc3Qta2Fma2EtMQ";

  private BrokerMain() {}

  public static void main(String[] args) throws IOException {
    Path properties = Path.of(args[0]);
    Path formatted = properties.resolveSibling("formatted");
    if (!Files.exists(formatted)) {
      String[] format = {"format", "-t", CLUSTER, "-c", properties.toString()};
      int code = StorageTool.execute(format, new PrintStream(System.err, true));
      if (code != 0) {
        throw new IllegalStateException("formatting must end with 0 but ended with " + code);
      }
      Files.createFile(formatted);
    }
    Kafka.main(new String[] {properties.toString()});
  }
}
