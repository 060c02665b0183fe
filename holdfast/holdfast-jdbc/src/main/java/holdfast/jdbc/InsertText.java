package holdfast.jdbc;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The text of an INSERT by key, put together from valid names only. Immutable. */
final class InsertText {

  private final TableName table;
  private final List<String> columns;
  private final List<String> keyColumns;

  InsertText(TableName table, List<String> columns, List<String> keyColumns) {
    this.table = table;
    this.columns = valid(columns);
    this.keyColumns = valid(keyColumns);
    if (keyColumns.isEmpty() || !new HashSet<>(columns).containsAll(keyColumns)) {
      throw new IllegalArgumentException(
          "key columns must be one or more of the columns %s but were %s"
              .formatted(columns, keyColumns));
    }
  }

  /** A plain INSERT of several rows. */
  static String rows(TableName table, List<String> columns, int rows) {
    String row = "(" + placeholders(columns.size()) + ")";
    return "INSERT INTO %s (%s) VALUES %s"
        .formatted(
            table,
            String.join(", ", valid(columns)),
            String.join(", ", Collections.nCopies(rows, row)));
  }

  /** An INSERT of a row by its key alone, with 1 in its counter. */
  static String counting(TableName table, List<String> keyColumns, String counter) {
    Identifier.require("column name", counter);
    InsertText key = new InsertText(table, keyColumns, keyColumns);
    return "INSERT INTO %s (%s, %s) VALUES (%s, 1)"
        .formatted(table, key.columnList(), counter, key.placeholders());
  }

  private static List<String> valid(List<String> names) {
    names.forEach(name -> Identifier.require("column name", name));
    return List.copyOf(names);
  }

  private static String placeholders(int count) {
    return String.join(", ", Collections.nCopies(count, "?"));
  }

  String columnList() {
    return String.join(", ", columns);
  }

  String keyList() {
    return String.join(", ", keyColumns);
  }

  String placeholders() {
    return placeholders(columns.size());
  }

  String numberedPlaceholders() {
    return IntStream.rangeClosed(1, columns.size())
        .mapToObj(number -> "?" + number)
        .collect(Collectors.joining(", "));
  }

  /** The term for each key column and the number of its placeholder, joined. */
  String forEachKey(BiFunction<String, Integer, String> term, String separator) {
    return keyColumns.stream()
        .map(key -> term.apply(key, columns.indexOf(key) + 1))
        .collect(Collectors.joining(separator));
  }

  boolean hasKeysOnly() {
    return keyColumns.containsAll(columns);
  }

  /** The term for each column that is not of the key, joined by commas. */
  String forEachOther(UnaryOperator<String> term) {
    return columns.stream()
        .filter(column -> !keyColumns.contains(column))
        .map(term)
        .collect(Collectors.joining(", "));
  }

  String toString(String verb) {
    return "%s %s (%s) VALUES (%s)".formatted(verb, table, columnList(), placeholders());
  }

  @Override
  public String toString() {
    return toString("INSERT INTO");
  }
}
