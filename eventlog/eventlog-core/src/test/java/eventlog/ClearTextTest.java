package eventlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A secret does not cross a network in clear text unless that is allowed. */
class ClearTextTest {

  private static HttpEventLogClientBuilder withKey(String address) {
    return HttpEventLogClient.builder(URI.create(address)).apiKey("key-1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://api.example.com", "http://127.example.com"})
  void aKeyOrTokenToAnotherMachineIsRefused(String address) {
    String problem = "must begin with https: where an API key or token goes to another machine";
    assertThatThrownBy(() -> withKey(address + "/key-1").build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(problem)
        .hasMessageContaining("but was " + address + ";")
        .hasMessageContaining("allowClearText(true)")
        .message()
        .doesNotContain("key-1");
    assertThatThrownBy(
            () -> HttpEventLogClient.builder(URI.create(address)).bearerToken(() -> "t").build())
        .hasMessageContaining(problem);
  }

  @Test
  void unlessItIsAllowed() {
    try (HttpEventLogClient client =
        withKey("http://api.example.com").allowClearText(true).build()) {
      assertThat(client).isNotNull();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://localhost:1",
        "http://127.0.0.1:1",
        "http://[::1]:1",
        "https://api.example.com"
      })
  void toThisMachineOrEncryptedItIsSent(String address) {
    try (HttpEventLogClient client = withKey(address).build()) {
      assertThat(client).isNotNull();
    }
  }

  @Test
  void withoutASecretClearTextIsFine() {
    HttpEventLogClient.builder(URI.create("http://api.example.com")).build().close();
  }
}
