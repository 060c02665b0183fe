package holdfast.testkit.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FreePortsTest {

  @Test
  void portsDifferAndCanBeBound() throws Exception {
    int[] ports = FreePorts.find(50);
    assertThat(Arrays.stream(ports).distinct().count()).isEqualTo(50);
    for (int port : ports) {
      new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
    }
  }
}
