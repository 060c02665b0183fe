package holdfast.spring.test;

import java.lang.reflect.Field;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** How properties become the fields of a builder. */
public final class Settings {

  private Settings() {}

  /** The properties as Boot would bind them. */
  public static <T> T bound(String key, Class<T> type, Map<String, String> set) {
    return new Binder(new MapConfigurationPropertySource(set)).bindOrCreate(key, type);
  }

  /** A field of a builder, or a field of what that holds: {@code "lease.length"}. */
  public static Object of(Object builder, String path) throws ReflectiveOperationException {
    Object value = builder;
    for (String name : path.split("\\.", -1)) {
      Field declared = value.getClass().getDeclaredField(name);
      declared.setAccessible(true);
      value = declared.get(value);
    }
    return value;
  }
}
