package holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;

/** What a user reads where the database itself does not say how to fix it. */
class SqlMessagesTest {

  @Test
  void aDatabaseThatIsOutOfReachIsToBeChecked() {
    assertThat(SqlMessages.withFix(new SQLTransientConnectionException("Connection refused.")))
        .isEqualTo(
            "Connection refused; check the URL, the user and the password, and that the server is"
                + " up and accepts connections");
  }

  @Test
  void aReadOnlyTransactionIsToBeReplaced() {
    assertThat(SqlMessages.withFix(new SQLException("cannot execute INSERT", "25006")))
        .isEqualTo("cannot execute INSERT; write in a transaction that is not read-only");
  }

  @Test
  void otherMessagesStayAsTheyAre() {
    assertThat(SqlMessages.withFix(new SQLException("value too long.", "22001")))
        .isEqualTo("value too long.");
  }
}
