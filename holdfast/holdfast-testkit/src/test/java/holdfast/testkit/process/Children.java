package holdfast.testkit.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;

/** Main classes for child JVMs. */
final class Children {

  private Children() {}

  /** Acknowledges its arguments and ends. */
  static final class Echo {
    public static void main(String[] args) {
      for (String arg : args) {
        Acknowledged.line(arg);
      }
    }
  }

  /** Counts until it is killed, and writes the number that it has acknowledged into a file. */
  static final class Counting {
    public static void main(String[] args) throws IOException {
      try (RandomAccessFile acknowledged = new RandomAccessFile(args[0], "rw")) {
        for (int number = 1; ; number++) {
          Acknowledged.line(Integer.toString(number));
          acknowledged.seek(0);
          // In one write: writeInt of JDK 17 makes four, and a kill between them leaves new high
          // bytes beside an old low one: a number that was never acknowledged.
          acknowledged.write(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
        }
      }
    }
  }

  /** Says so and fails. */
  static final class Failing {
    public static void main(String[] args) {
      Acknowledged.line("started");
      System.err.println("no bread");
      System.exit(7);
    }
  }

  /** Leaves a line without an end and waits to be killed. */
  static final class Torn {
    public static void main(String[] args) throws IOException {
      Acknowledged.line("whole");
      System.out.print("torn");
      System.out.flush();
      System.err.println("ready");
      System.in.read();
    }
  }

  /** Starts a child that waits for ever, tells its process id and ends. */
  static final class Parent {
    public static void main(String[] args) {
      Acknowledged.line(Long.toString(ChildJvm.of(Waiting.class).start().pid()));
    }
  }

  /** Waits to be killed. */
  static final class Waiting {
    public static void main(String[] args) throws IOException {
      Acknowledged.line("waiting");
      System.in.read();
    }
  }

  /** Tells its build process and a property. */
  static final class Settings {
    public static void main(String[] args) {
      Acknowledged.line(Long.toString(BuildProcess.current().pid()));
      Acknowledged.line(System.getProperty("colour", "none"));
      Acknowledged.line(String.valueOf(System.getenv("TASTE")));
    }
  }
}
