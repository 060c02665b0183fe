import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.Bootstrap;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Runs a program under the debugger interface and lists the methods of a library that it enters.
 * The program calls three static methods of its own main class: {@code idle()} when nothing is
 * published for some seconds, {@code begin()} and {@code end()} around each round. Confined to one
 * thread.
 */
final class Trace {
  private final String program;
  private final List<String> filters;
  private final Set<String> whileIdle = new HashSet<>();
  private final List<List<Walk.Entry>> rounds = new ArrayList<>();
  private final List<MethodEntryRequest> entries = new ArrayList<>();
  private State state = State.WARMING_UP;

  private enum State {
    WARMING_UP,
    IDLE,
    RECORDING,
    BETWEEN_ROUNDS
  }

  private Trace(String program, List<String> filters) {
    this.program = program;
    this.filters = filters;
  }

  public static void main(String[] args) throws Exception {
    Map<String, String> options = new TreeMap<>();
    boolean verbose = false;
    for (int i = 0; i < args.length; i++) {
      if (args[i].equals("-v")) {
        verbose = true;
      } else if (args[i].startsWith("--") && i + 1 < args.length) {
        options.put(args[i].substring(2), args[++i]);
      } else {
        throw new IllegalArgumentException("unknown option '" + args[i] + "'; see README.md");
      }
    }
    for (String needed : List.of("class-path", "main", "filter")) {
      if (!options.containsKey(needed)) {
        throw new IllegalArgumentException("--" + needed + " is missing; see README.md");
      }
    }
    String main = options.get("main");
    String program = main.replaceFirst("\\.java$", "").replaceFirst("^.*/", "");
    Trace trace = new Trace(program, List.of(options.get("filter").split(",")));
    trace.run(options.get("class-path"), main);
    trace.print(System.out, verbose);
  }

  private void run(String classPath, String main) throws Exception {
    LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    arguments.get("options").setValue("-cp \"" + classPath + "\"");
    arguments.get("main").setValue("\"" + main + "\"");
    VirtualMachine machine = connector.launch(arguments);
    copy(machine.process().getInputStream());
    copy(machine.process().getErrorStream());
    ClassPrepareRequest prepared = machine.eventRequestManager().createClassPrepareRequest();
    prepared.addClassFilter(program);
    prepared.enable();
    filters.forEach(filter -> entries.add(request(machine, filter)));
    machine.resume();
    try {
      while (true) {
        EventSet events = machine.eventQueue().remove();
        for (Event event : events) {
          if (event instanceof ClassPrepareEvent prepare) {
            watch(prepare.referenceType());
          } else if (event instanceof BreakpointEvent signal) {
            signalled(signal.location().method().name());
          } else if (event instanceof MethodEntryEvent entry) {
            entered(entry);
          }
        }
        events.resume();
      }
    } catch (VMDisconnectedException e) {
      int code = machine.process().waitFor();
      if (code != 0 || rounds.isEmpty()) {
        throw new IllegalStateException(
            "%s ended with code %d after %d rounds; its output is above"
                .formatted(program, code, rounds.size()),
            e);
      }
    }
  }

  /** Enabled only while needed: with it the whole program runs much slower. */
  private static MethodEntryRequest request(VirtualMachine machine, String filter) {
    MethodEntryRequest request = machine.eventRequestManager().createMethodEntryRequest();
    request.addClassFilter(filter);
    request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
    return request;
  }

  private static void watch(ReferenceType type) {
    for (String signal : List.of("idle", "begin", "end")) {
      Method method =
          type.methodsByName(signal).stream()
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "%s needs a static method %s() but has none; see README.md"
                              .formatted(type.name(), signal)));
      BreakpointRequest request =
          type.virtualMachine().eventRequestManager().createBreakpointRequest(method.location());
      request.enable();
    }
  }

  private static void copy(InputStream from) {
    Thread copier =
        new Thread(
            () -> {
              try {
                from.transferTo(System.err);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    copier.setDaemon(true);
    copier.start();
  }

  private void signalled(String method) {
    switch (method) {
      case "idle" -> state = State.IDLE;
      case "begin" -> {
        state = State.RECORDING;
        rounds.add(new ArrayList<>());
      }
      default -> state = State.BETWEEN_ROUNDS;
    }
    entries.forEach(request -> request.setEnabled(state != State.BETWEEN_ROUNDS));
  }

  private void entered(MethodEntryEvent event) throws IncompatibleThreadStateException {
    if (!isWritten(event.method())) {
      return;
    }
    if (state == State.IDLE) {
      whileIdle.add(entry(event).name());
    } else if (state == State.RECORDING) {
      rounds.get(rounds.size() - 1).add(entry(event));
    }
  }

  /** Whether the method is in a source file: neither a bridge nor the object behind a lambda. */
  private static boolean isWritten(Method method) {
    String type = method.declaringType().name();
    return !method.isBridge() && !type.contains("$$Lambda") && !type.contains("$Proxy");
  }

  private Walk.Entry entry(MethodEntryEvent event) throws IncompatibleThreadStateException {
    Method method = event.method();
    ThreadReference thread = event.thread();
    int depth = 0;
    for (StackFrame frame : thread.frames()) {
      Method caller = frame.location().method();
      if (isWritten(caller) && isOfLibrary(caller.declaringType().name())) {
        depth++;
      }
    }
    String type = method.declaringType().name();
    return new Walk.Entry(
        thread.name(),
        depth,
        type.substring(type.lastIndexOf('.') + 1),
        file(method.declaringType()),
        method.name(),
        isOneLine(method));
  }

  private boolean isOfLibrary(String type) {
    return filters.stream()
        .anyMatch(
            filter ->
                filter.endsWith("*")
                    ? type.startsWith(filter.substring(0, filter.length() - 1))
                    : type.equals(filter));
  }

  private static String file(ReferenceType type) {
    try {
      return type.sourcePaths(null).get(0);
    } catch (AbsentInformationException e) {
      // compiled without the file's name: that of the outermost type is the best guess
      return type.name().replaceFirst("\\$.*", "").replace('.', '/') + ".java";
    }
  }

  /** Getters, accessors of records and calls handed on have the code of one line. */
  private static boolean isOneLine(Method method) {
    try {
      return method.allLineLocations().stream().map(at -> at.lineNumber()).distinct().count() <= 1;
    } catch (AbsentInformationException e) {
      return false;
    }
  }

  private void print(PrintStream out, boolean verbose) {
    List<Walk> walks = rounds.stream().map(round -> Walk.of(round, whileIdle)).toList();
    for (int i = 0; i < walks.size(); i++) {
      out.printf("round %d: %s%n", i + 1, walks.get(i).figures());
    }
    Walk median =
        walks.stream()
            .sorted(Comparator.<Walk>comparingInt(Walk::changes).thenComparingInt(Walk::files))
            .toList()
            .get(walks.size() / 2);
    out.printf("%nmedian: round %d%n", walks.indexOf(median) + 1);
    median.print(out, verbose);
  }
}
