package eventlog.appender;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what an appender reports. Safe for use by many threads. */
final class RecordedReport implements AppenderReport {
  private final List<String> infos = new CopyOnWriteArrayList<>();
  private final List<String> warnings = new CopyOnWriteArrayList<>();

  @Override
  public void info(String message) {
    infos.add(message);
  }

  @Override
  public void warn(String message) {
    warnings.add(message);
  }

  List<String> infos() {
    return List.copyOf(infos);
  }

  List<String> warnings() {
    return List.copyOf(warnings);
  }
}
