package holdfast.jdbc;

import java.sql.Types;
import java.util.Locale;
import java.util.Set;

/** What a column must be able to hold, whatever its database calls the type. */
public enum ColumnKind {
  /** Text. */
  TEXT("text"),

  /** JSON, or text. */
  DOCUMENT("JSON or text"),

  /** A whole number. */
  NUMBER("a number"),

  /**
   * A moment, as UTC without zone. A type with a zone converts what is written by the zone of the
   * session, and so holds another moment.
   */
  MOMENT("a moment without time zone"),

  /** Bytes. */
  BYTES("bytes"),

  /** True or false. */
  FLAG("a boolean");

  private static final int MICROSECONDS = 6;
  private static final Set<Integer> TEXTS =
      Set.of(
          Types.CHAR,
          Types.VARCHAR,
          Types.LONGVARCHAR,
          Types.CLOB,
          Types.NCHAR,
          Types.NVARCHAR,
          Types.LONGNVARCHAR,
          Types.NCLOB);
  private static final Set<Integer> FLAGS = Set.of(Types.BOOLEAN, Types.BIT, Types.TINYINT);
  private static final Set<Integer> NUMBERS =
      Set.of(
          Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT, Types.NUMERIC, Types.DECIMAL);
  private static final Set<Integer> BINARIES =
      Set.of(Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB);

  private final String words;

  ColumnKind(String words) {
    this.words = words;
  }

  /** Whether a column of this type can hold it. */
  boolean fits(Dialect dialect, ColumnType type) {
    String name = type.name().toUpperCase(Locale.ROOT);
    if (type.code() == Types.DISTINCT) {
      return true; // a type that users have defined: what it holds is theirs to know
    }
    return switch (this) {
      case TEXT -> TEXTS.contains(type.code()) || name.equals("CITEXT");
      case DOCUMENT -> TEXTS.contains(type.code()) || name.startsWith("JSON");
      // MariaDB and MySQL call a short number a boolean.
      case NUMBER ->
          NUMBERS.contains(type.code()) || (isMySql(dialect) && FLAGS.contains(type.code()));
      case MOMENT -> name.matches(momentPattern(dialect)) && hasMicroseconds(type);
      case BYTES -> BINARIES.contains(type.code());
      case FLAG -> FLAGS.contains(type.code());
    };
  }

  /** With fewer digits the database rounds moments, and leases and intervals with them. */
  private static boolean hasMicroseconds(ColumnType type) {
    return type.fraction() == null || type.fraction() >= MICROSECONDS;
  }

  /** What a column must be, in a message. */
  String wanted(Dialect dialect) {
    return this == MOMENT ? (isMySql(dialect) ? "DATETIME(6)" : "TIMESTAMP(6)") : words;
  }

  private static String momentPattern(Dialect dialect) {
    return isMySql(dialect) ? "DATETIME(\\(\\d\\))?" : "TIMESTAMP(\\(\\d\\))?( WITHOUT TIME ZONE)?";
  }

  private static boolean isMySql(Dialect dialect) {
    return dialect instanceof MySqlDialect;
  }
}
