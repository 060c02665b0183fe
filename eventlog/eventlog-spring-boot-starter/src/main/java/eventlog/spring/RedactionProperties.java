package eventlog.spring;

import java.util.ArrayList;
import java.util.List;

/** What can be set under {@code eventlog.redaction}. Not safe for use by many threads. */
final class RedactionProperties {
  /** Names of fields to mask in payloads, texts, metadata and identifiers, at any depth. */
  private List<String> fields = new ArrayList<>();

  public List<String> getFields() {
    return fields;
  }

  public void setFields(List<String> fields) {
    this.fields = fields;
  }
}
