package tracer.spring.boot;

import holdfast.spring.test.MetadataContract;
import holdfast.spring.test.Settings;
import java.util.List;
import java.util.Map;
import tracer.TracerBuilder;
import tracer.perfetto.PerfettoFiles;

/** What editors show of {@code tracer.*}. */
class MetadataTest extends MetadataContract {

  MetadataTest() {
    super(
        "tracer",
        () -> Settings.bound("tracer", TracerProperties.class, Map.of()),
        List.of(
            "tracer.directory",
            "tracer.dump-when-slower",
            "tracer.emergency-file",
            "tracer.exclude.categories",
            "tracer.exclude.names",
            "tracer.jvm-events",
            "tracer.keep-last",
            "tracer.keep-last-bytes",
            "tracer.process-name",
            "tracer.producers"),
        TracerBuilder.class,
        PerfettoFiles.class);
  }
}
