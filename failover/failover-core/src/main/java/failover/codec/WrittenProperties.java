package failover.codec;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.PropertyWriter;
import tools.jackson.databind.ser.bean.BeanSerializerBase;

/**
 * The properties that Jackson writes of a class.
 *
 * @param areOfBean whether it writes them one by one
 * @param writers what writes each
 */
record WrittenProperties(boolean areOfBean, List<BeanPropertyWriter> writers) {

  static WrittenProperties of(@Nullable ValueSerializer<?> serializer) {
    List<BeanPropertyWriter> writers = new ArrayList<>();
    if (!(serializer instanceof BeanSerializerBase bean)) {
      return new WrittenProperties(false, writers);
    }
    Iterator<PropertyWriter> all = bean.properties();
    while (all.hasNext()) {
      if (all.next() instanceof BeanPropertyWriter writer) {
        writers.add(writer);
      }
    }
    return new WrittenProperties(true, writers);
  }

  /** Whether it writes a field as it is. */
  static boolean isField(BeanPropertyWriter writer) {
    return writer.getClass() == BeanPropertyWriter.class
        && writer.getMember().getMember() instanceof Field;
  }

  /** A field of the class that none of them stands for. */
  Optional<Field> leftOut(Class<?> type) {
    Set<Object> members = new HashSet<>();
    Set<String> byMethod = new HashSet<>();
    for (BeanPropertyWriter writer : writers) {
      Object member = writer.getMember().getMember();
      members.add(member);
      if (!(member instanceof Field)) {
        byMethod.add(writer.getName());
      }
    }
    return InstanceFields.of(type).stream()
        .filter(field -> !members.contains(field) && !byMethod.contains(field.getName()))
        .findFirst();
  }
}
