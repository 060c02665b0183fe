package holdfast.testkit.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that must be told theirs, and bind them later. They lie below those that the
 * system gives to whoever asks for any, so that no connection or server of another test takes one
 * meanwhile. Stateless.
 */
public final class FreePorts {
  private static final int LOWEST = 20_000;
  private static final int HIGHEST = 32_000;
  private static final int TRIES = 1_000;

  private FreePorts() {}

  /**
   * Finds ports of the loopback address that nobody listens to.
   *
   * @param count how many; all differ
   * @throws IOException if there are not so many
   */
  public static int[] find(int count) throws IOException {
    List<ServerSocket> open = new ArrayList<>(); // until all are found, so that they differ
    try {
      for (int tries = 0; open.size() < count; tries++) {
        int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
        try {
          open.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
        } catch (IOException e) {
          if (tries >= TRIES) {
            throw e;
          }
        }
      }
      return open.stream().mapToInt(ServerSocket::getLocalPort).toArray();
    } finally {
      for (ServerSocket socket : open) {
        socket.close();
      }
    }
  }
}
