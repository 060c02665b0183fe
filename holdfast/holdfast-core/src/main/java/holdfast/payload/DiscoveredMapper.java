package holdfast.payload;

import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The first mapper on the class path, looked for on first use. Safe for use by many threads. */
final class DiscoveredMapper implements Supplier<PayloadMapper> {
  private volatile @Nullable PayloadMapper found;

  @Override
  public PayloadMapper get() {
    PayloadMapper mapper = found;
    if (mapper == null) {
      mapper = find();
      found = mapper;
    }
    return mapper;
  }

  private static PayloadMapper find() {
    try {
      return ServiceLoader.load(PayloadMapper.class, PayloadMapper.class.getClassLoader())
          .findFirst()
          .orElseThrow(() -> none("no PayloadMapper is on the class path", null));
    } catch (ServiceConfigurationError | LinkageError e) {
      throw none("the PayloadMapper on the class path cannot be loaded", e);
    }
  }

  private static IllegalStateException none(String found, @Nullable Throwable cause) {
    return new IllegalStateException(
        "payloads need a PayloadMapper but "
            + found
            + "; add io.holdfast:holdfast-jackson and tools.jackson.core:jackson-databind, or pass"
            + " one with payloads(Payloads.of(...))",
        cause);
  }
}
