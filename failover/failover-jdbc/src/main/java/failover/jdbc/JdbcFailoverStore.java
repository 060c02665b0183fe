package failover.jdbc;

import failover.key.StoreKey;
import failover.store.FailoverStore;
import failover.store.FailoverStore.FailoverStoreSizeAware;
import failover.store.FailoverStore.StoreChange;
import failover.store.FailoverStore.StoredEntry;
import failover.store.FailoverStoreException;
import failover.store.ReferentialPayload;
import holdfast.jdbc.Dialect;
import holdfast.jdbc.Isolation;
import holdfast.jdbc.Row;
import holdfast.jdbc.Sql;
import holdfast.jdbc.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Answers in a table of H2, PostgreSQL, MariaDB or MySQL, each operation in a short transaction of
 * its own. Usually behind an {@link failover.store.AsyncFailoverStore}. Safe for use by many
 * threads and nodes.
 */
public final class JdbcFailoverStore implements FailoverStore, FailoverStoreSizeAware {
  private static final int SWEEP_BATCH = 500;

  /** For how long removals are told to other nodes. */
  // An hour longer than nodes rely on it, whose clocks may go differently.
  private static final Duration REMOVALS_KEPT = Duration.ofHours(25);

  private final Transactions transactions;
  private final Tables tables;
  private final Options options;
  private volatile @Nullable Statements statements;

  /** A store in the table {@code FAILOVER_STORE}. */
  public JdbcFailoverStore(DataSource dataSource) {
    this(dataSource, "");
  }

  /**
   * A store in a table whose name begins with a prefix.
   *
   * @param dataSource where
   * @param prefix such as {@code SHOP_} or {@code schema.SHOP_}
   * @throws IllegalArgumentException if the prefix gives no valid name
   */
  public JdbcFailoverStore(DataSource dataSource, String prefix) {
    this(
        Transactions.of(
                Objects.requireNonNull(
                    dataSource,
                    "JdbcFailoverStore needs a DataSource but was given null; pass the one whose"
                        + " database has the tables"))
            .withIsolation(Isolation.READ_COMMITTED),
        Tables.of(prefix),
        new Options(false, null, () -> FailoverSchema.requireUnlessDown(dataSource, prefix)));
  }

  private JdbcFailoverStore(Transactions transactions, Tables tables, Options options) {
    this.transactions = transactions;
    this.tables = tables;
    this.options = options;
  }

  private record Options(boolean counts, @Nullable Runnable creation, Runnable check) {}

  /** The same store; whether its rows are counted whenever a gauge is read, each time anew. */
  public JdbcFailoverStore withCounting(boolean wanted) {
    return with(new Options(wanted, options.creation(), options.check()));
  }

  /**
   * The same store; before its first statement it has its tables created, again and again until
   * that succeeds; they are not checked at the start. For a database that may not be there yet.
   *
   * @param creation such as {@code () -> FailoverSchema.createIfMissing(dataSource)}
   */
  public JdbcFailoverStore withTableCreation(Runnable creation) {
    return with(new Options(options.counts(), creation, () -> {}));
  }

  /** The same store; its tables are not checked at the start, because somebody else does so. */
  public JdbcFailoverStore withoutStartCheck() {
    return with(new Options(options.counts(), options.creation(), () -> {}));
  }

  private JdbcFailoverStore with(Options changed) {
    return new JdbcFailoverStore(transactions, tables, changed);
  }

  @Override
  public void start() {
    options.check().run();
  }

  private interface Work<T> {
    T in(Connection connection, Statements sql) throws SQLException;
  }

  private <T> T call(String what, Work<T> work) {
    if (options.creation() != null && statements == null) {
      options.creation().run();
    }
    AtomicBoolean isConnected = new AtomicBoolean();
    try {
      return transactions.call(
          connection -> {
            isConnected.set(true);
            return work.in(connection, statements(connection));
          });
    } catch (SQLException e) {
      throw Refusal.of(what, tables, e, isConnected.get());
    }
  }

  private Statements statements(Connection connection) throws SQLException {
    Statements known = statements;
    if (known == null) {
      known = Statements.of(Dialect.of(connection), tables);
      statements = known;
    }
    return known;
  }

  @Override
  public void store(ReferentialPayload answer) {
    byte[] bytes = answer.payload().bytes(); // encoded before a connection is taken
    change(
        "store an answer",
        (connection, sql) -> {
          upsert(connection, sql, answer, bytes);
          return answer.isMadeToExpire() ? RemovalNote.write(connection, sql, answer.key()) : 0;
        });
  }

  /**
   * On H2 a statement finds no row, waits for another that inserts it, and fails: then it is there.
   */
  private int change(String what, Work<Integer> work) {
    try {
      return call(what, work);
    } catch (FailoverStoreException e) {
      if (e.getCause() instanceof SQLIntegrityConstraintViolationException) {
        return call(what, work);
      }
      throw e;
    }
  }

  private static int upsert(
      Connection connection, Statements statements, ReferentialPayload answer, byte[] bytes)
      throws SQLException {
    try (Sql sql = statements.dialect().sql(connection, statements.upsert())) {
      return AnswerRow.bind(sql, answer, bytes).update();
    }
  }

  /** In one transaction, rows in the order of their keys, so that nodes do not lock each other. */
  @Override
  public void storeAll(Collection<ReferentialPayload> answers) {
    List<ReferentialPayload> ordered =
        answers.stream()
            .sorted(
                Comparator.<ReferentialPayload, String>comparing(answer -> answer.key().name())
                    .thenComparing(answer -> answer.key().id()))
            .toList();
    ordered.forEach(answer -> answer.payload().bytes()); // before a connection is taken
    change("store answers", (connection, sql) -> upsertAll(connection, sql, ordered));
  }

  private static int upsertAll(
      Connection connection, Statements statements, List<ReferentialPayload> answers)
      throws SQLException {
    try (Sql sql = statements.dialect().sql(connection, statements.upsert())) {
      for (ReferentialPayload answer : answers) {
        AnswerRow.bind(sql, answer, answer.payload().bytes()).addBatch();
      }
      sql.updateBatch();
    }
    for (ReferentialPayload answer : answers) {
      if (answer.isMadeToExpire()) {
        RemovalNote.write(connection, statements, answer.key());
      }
    }
    return answers.size();
  }

  @Override
  public void delete(StoreKey key) {
    change(
        "remove an answer",
        (connection, statements) -> {
          try (Sql sql = statements.dialect().sql(connection, statements.delete())) {
            sql.bind(key.name()).bind(key.id()).update();
          }
          return RemovalNote.write(connection, statements, key);
        });
  }

  @Override
  public int deleteAll(String name) {
    return change(
        "remove answers",
        (connection, statements) -> {
          RemovalNote.writeAll(connection, statements, name);
          try (Sql sql = statements.dialect().sql(connection, statements.deleteAll())) {
            return sql.bind(name).update();
          }
        });
  }

  @Override
  public int expireAll(String name, Instant now) {
    return change(
        "expire answers",
        (connection, statements) -> {
          RemovalNote.writeAll(connection, statements, name);
          try (Sql sql = statements.dialect().sql(connection, statements.expireAll())) {
            return sql.bind(now).bind(now.minus(1, ChronoUnit.MICROS)).bind(name).update();
          }
        });
  }

  @Override
  public Optional<List<StoreChange>> changes(Duration last, int limit) {
    long micros = -TimeUnit.NANOSECONDS.toMicros(last.toNanos());
    return Optional.of(
        call(
            "find what has changed",
            (connection, statements) -> {
              try (Sql sql = statements.dialect().sql(connection, statements.changes())) {
                return sql.bind(micros).bind(micros).bind(limit).list(AnswerRow::readChange);
              }
            }));
  }

  @Override
  public Optional<ReferentialPayload> find(StoreKey key) {
    return call(
        "find an answer",
        (connection, statements) -> {
          try (Sql sql = statements.dialect().sql(connection, statements.find())) {
            return sql.bind(key.name()).bind(key.id()).first(row -> AnswerRow.read(row, key));
          }
        });
  }

  @Override
  public List<ReferentialPayload> findAll(Collection<StoreKey> keys) {
    List<ReferentialPayload> found = new ArrayList<>();
    inBulk(keys, true, (row, key) -> found.add(AnswerRow.read(row, key)));
    return found;
  }

  @Override
  public Map<StoreKey, Instant> momentsOf(Collection<StoreKey> keys) {
    Map<StoreKey, Instant> moments = new HashMap<>();
    inBulk(keys, false, (row, key) -> moments.put(key, row.at("AS_OF").instant()));
    return moments;
  }

  private <T> void inBulk(Collection<StoreKey> keys, boolean withContent, BulkRead.Reader<T> rows) {
    for (BulkRead bulk : BulkRead.of(keys)) {
      call(
          "find answers",
          (connection, statements) -> bulk.read(connection, statements, withContent, rows));
    }
  }

  @Override
  public List<StoredEntry> entries(String name, int limit) {
    return call(
        "list answers",
        (connection, statements) -> {
          try (Sql sql = statements.dialect().sql(connection, statements.entries())) {
            return sql.bind(name).bind(limit).list(row -> AnswerRow.readEntry(row, name));
          }
        });
  }

  @Override
  public long cleanByExpiry(Instant cutoff) {
    long removed = 0;
    int found;
    do {
      List<StoreKey> batch = expired(cutoff);
      found = batch.size();
      removed += deleteExpired(batch, cutoff);
    } while (found == SWEEP_BATCH);
    return removed;
  }

  private List<StoreKey> expired(Instant cutoff) {
    return call(
        "find expired answers",
        (connection, statements) -> {
          try (Sql sql = statements.dialect().sql(connection, statements.expired())) {
            return sql.bind(cutoff)
                .bind(SWEEP_BATCH)
                .list(row -> StoreKey.stored(row.string(), row.string()));
          }
        });
  }

  private long deleteExpired(List<StoreKey> keys, Instant cutoff) {
    return call(
        "remove expired answers",
        (connection, statements) -> {
          long removed = 0;
          try (Sql sql = statements.dialect().sql(connection, statements.deleteExpired())) {
            for (StoreKey key : keys) {
              removed += sql.bind(key.name()).bind(key.id()).bind(cutoff).update();
            }
          }
          return removed;
        });
  }

  @Override
  public long sweep(Instant cutoff, Duration interval) {
    if (!takeTurn(interval)) {
      return 0;
    }
    call(
        "forget old removals",
        (connection, statements) -> {
          try (Sql sql = statements.dialect().sql(connection, statements.deleteRemovals())) {
            return sql.bind(-TimeUnit.NANOSECONDS.toMicros(REMOVALS_KEPT.toNanos())).update();
          }
        });
    return cleanByExpiry(cutoff);
  }

  /** One node gets the turn; the next one comes a little earlier than this node asks again. */
  private boolean takeTurn(Duration interval) {
    long micros = interval.dividedBy(2).toNanos() / 1_000;
    return call(
        "take a turn at sweeping",
        (connection, statements) -> {
          try (Sql sql = statements.dialect().sql(connection, statements.takeTurn())) {
            return sql.bind(micros).update() == 1;
          }
        });
  }

  @Override
  public long liveEntryCount(String name) {
    return call(
        "count answers",
        (connection, statements) -> {
          try (Sql sql = statements.dialect().sql(connection, statements.count())) {
            return sql.bind(name).first(Row::longValue).orElse(0L);
          }
        });
  }

  /** Counting reads all rows of a name, so a gauge has to be asked for. */
  @Override
  public boolean liveEntryCountSupported() {
    return options.counts();
  }
}
