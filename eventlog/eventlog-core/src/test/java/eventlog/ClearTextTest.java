package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.log.CapturedLog;
import java.net.URI;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** A secret that would cross a network in clear text is warned of. */
class ClearTextTest {

  private static List<String> warnings(String address) {
    try (CapturedLog log = new CapturedLog("eventlog")) {
      HttpEventLogClient.builder(URI.create(address)).apiKey("key-1").build();
      return log.messages(Level.WARNING);
    }
  }

  @Test
  void toAnotherMachine() {
    for (String address : List.of("http://api.example.com", "http://127.example.com")) {
      assertThat(warnings(address))
          .containsExactly(
              "eventlog sends its API key or token in clear text, because baseUri is "
                  + address
                  + "; use an address that begins with https:");
    }
  }

  @Test
  void butNotToThisMachineNorEncrypted() {
    for (String address :
        List.of(
            "http://localhost:1",
            "http://127.0.0.1:1",
            "http://[::1]:1",
            "https://api.example.com")) {
      assertThat(warnings(address)).isEmpty();
    }
  }
}
