package eventlog.log4j2;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log4j2.xml of docs/eventlog.md, as it is there but for the address and the directory. */
class DocumentedConfigurationTest extends Log4jFixture {

  @Test
  void itWorks(@TempDir Path directory) throws Exception {
    Matcher block =
        Pattern.compile("### Log4j 2\n[\\s\\S]*?```xml\n([\\s\\S]*?)```")
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
