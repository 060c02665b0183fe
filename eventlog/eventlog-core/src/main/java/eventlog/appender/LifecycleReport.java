package eventlog.appender;

import eventlog.EventLogLifecycleListener;
import holdfast.log.LogText;

/** Reports outages of the API and of the disk to the framework. Safe for use by many threads. */
final class LifecycleReport implements EventLogLifecycleListener {
  private final AppenderReport report;
  private final String address;

  LifecycleReport(AppenderReport report, String address) {
    this.report = report;
    this.address = address;
  }

  @Override
  public void onCircuitOpened(String problem) {
    report.warn(
        ("the destination does not accept events; they are kept address=%s problem=%s; check that the"
                + " address and the key are right, and that this machine can reach the address")
            .formatted(address, LogText.escape(problem)));
  }

  @Override
  public void onCircuitClosed() {
    report.info("the destination accepts events again address=" + address);
  }

  @Override
  public void onSpillEnded() {
    report.info("all events on disk have been sent address=" + address);
  }

  @Override
  public void onDiskFailing(Exception cause) {
    report.warn(
        ("the disk cannot be written; events wait in memory problem=%s; make the directory of"
                + " spilloverPath writable, and free space on its disk")
            .formatted(LogText.escape(cause)));
  }

  @Override
  public void onDiskWorking() {
    report.info("the disk can be written again");
  }
}
