package outbox.dispatch;

import java.util.LinkedHashMap;
import java.util.Map;

/** The ids added last, so many and no more. Safe for use by many threads. */
final class RecentIds {
  private final Map<String, Boolean> ids;

  RecentIds(int most) {
    this.ids =
        new LinkedHashMap<>() {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > most;
          }
        };
  }

  synchronized void add(String id) {
    ids.put(id, true);
  }

  synchronized boolean contains(String id) {
    return ids.containsKey(id);
  }
}
