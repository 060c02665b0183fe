package eventlog.logback;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The logback.xml of docs/eventlog.md, as it is there but for the address and the directory. */
class DocumentedConfigurationTest extends LogbackFixture {

  @Test
  void itWorks(@TempDir Path directory) throws Exception {
    Matcher block =
        Pattern.compile("### Logback\n[\\s\\S]*?```xml\n([\\s\\S]*?)```")
            .matcher(Files.readString(Path.of("../../docs/eventlog.md")));
    assertThat(block.find()).isTrue();

    EventLogAppender appender =
        load(
            block
                .group(1)
                .replace("https://events.example.com", api.uri().toString())
                .replace("/var/spool/shop", directory.toString()));
    logger("shop.Orders").info("documented");

    awaitDelivered(appender, 1);
    assertThat(api.events().get(0).path("summary").asString()).isEqualTo("documented");
  }
}
