package eventbus;

import holdfast.json.StringMapJson;

/** How large an event may be. Immutable. */
record PayloadLimit(int maxBytes) {
  private static final int MAX_HEADERS = 65_536;

  /**
   * Refuses what is too large, before the database does or has to carry it.
   *
   * @throws IllegalArgumentException if it is
   */
  void check(Event event) {
    long bytes = utf8Length(event.payload());
    if (bytes > maxBytes) {
      throw new IllegalArgumentException(
          "payload of an event of type '%s' must have %d bytes or fewer but has %d; store it elsewhere and publish where, or set maxPayloadBytes"
              .formatted(event.type(), maxBytes, bytes));
    }
    int headers = event.headers().isEmpty() ? 0 : StringMapJson.write(event.headers()).length();
    if (headers > MAX_HEADERS) {
      throw new IllegalArgumentException(
          "headers of an event of type '%s' must have %d characters or fewer as JSON but have %d"
              .formatted(event.type(), MAX_HEADERS, headers));
    }
  }

  private static long utf8Length(String text) {
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        bytes++;
      } else if (c < 0x800 || Character.isSurrogate(c)) {
        bytes += 2; // a pair of surrogates is four bytes
      } else {
        bytes += 3;
      }
    }
    return bytes;
  }
}
