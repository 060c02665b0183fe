package holdfast.testkit.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A real directory behind a file system that fails as a test wants it.
 *
 * <p>Code under test gets {@link #root()}, or a path resolved from it, and uses {@code Files} and
 * {@code FileChannel} as ever. Each call that changes something is one {@link Op}, numbered from 1
 * in the order it happens; some calls are several: a copy is a creation and its writes, and a move
 * that replaces a file without {@code ATOMIC_MOVE} is a deletion and a move, which is what the real
 * file system does. A call that cannot change anything, such as deleting what is not there or
 * writing nothing, has no number and ends as it would on the real files.
 *
 * <p>Not offered: mapping, asynchronous channels, links, watching, deleting on close. A {@code
 * File} cannot be had of these paths, so code that would slip past the faults is found. Exceptions
 * of the real files name real paths. The directory must hold no symbolic links.
 *
 * <p>Safe for use by many threads; changes are done one at a time.
 */
public final class FaultyFiles {

  private final ProcessLife life = new ProcessLife();
  private final FaultPlan plan = new FaultPlan(life);
  private final DurableTree tree;
  private final FaultyFileSystem fileSystem;

  private FaultyFiles(Path realRoot) {
    tree = new DurableTree(realRoot);
    fileSystem =
        new FaultyFileSystem(realRoot, life, new FaultyProvider(new Changes(plan, life, tree)));
  }

  /**
   * A faulty file system over the given directory, with no faults yet.
   *
   * <p>What is in the directory now counts as durable. After a crash, a new one over the same
   * directory is what a restarted process gets.
   *
   * @param realDirectory an existing directory
   */
  public static FaultyFiles over(Path realDirectory) {
    if (!Files.isDirectory(realDirectory)) {
      throw new IllegalArgumentException(
          "realDirectory must be an existing directory but was '" + realDirectory + "'");
    }
    try {
      return new FaultyFiles(realDirectory.toRealPath());
    } catch (IOException e) {
      throw new UncheckedIOException("the directory " + realDirectory + " cannot be found", e);
    }
  }

  /** The path that stands for the real directory; it is spelled as a root. */
  public Path root() {
    return fileSystem.root();
  }

  /** The changes so far, in order; the last number is their count. */
  public List<Op> operations() {
    return plan.operations();
  }

  /**
   * Lets one change fail, with no effect.
   *
   * @param number which change; it must be still to come
   * @param failure makes the exception
   */
  public void failAt(long number, Supplier<IOException> failure) {
    plan.failAt(number, failure);
  }

  /**
   * Lets every change fail that meets the condition, with no effect, until {@link #mend()}.
   *
   * @param condition is asked once for every change, and must not use this file system
   * @param failure makes the exception, anew for every change
   */
  public void failWhen(Predicate<Op> condition, Supplier<IOException> failure) {
    plan.failWhen(condition, failure);
  }

  /**
   * Tears one write: its first bytes reach the file, then it fails with an {@code IOException}.
   *
   * <p>A change of another kind fails whole. Together with {@link #crashAfter} for the same number,
   * this is a crash in the middle of a write.
   *
   * @param number which change; it must be still to come
   * @param bytes how many bytes reach the file at most
   */
  public void shortWriteAt(long number, int bytes) {
    plan.shortWriteAt(number, bytes);
  }

  /**
   * Lets the process die when a change is complete: every later change or read throws {@link
   * SimulatedCrash}, and every open file is closed and its locks released, as the system does.
   *
   * @param number which change is the last; the process dies at once if that many are done already
   */
  public void crashAfter(long number) {
    plan.crashAfter(number);
  }

  /** Lets the process die now; does nothing if it is dead. */
  public void crash() {
    plan.crash("when the test asked for it");
  }

  /** Whether the process has died. */
  public boolean crashed() {
    return life.hasEnded();
  }

  /** Forgets every planned fault; the dead stay dead. */
  public void mend() {
    plan.mend();
  }

  /**
   * Cuts the power, and leaves the real directory with nothing but what was forced.
   *
   * <p>Every file has, byte for byte, the content it had when it was last forced, and is empty if
   * it never was. Creations, moves and deletions that their directory has not been forced after are
   * undone; a move between two directories is durable as soon as either is forced. Writes through a
   * channel opened with {@code SYNC} or {@code DSYNC} are forced as they are made. What was there
   * at the beginning, and what others put there since, is durable.
   *
   * <p>This is the least that may be left; {@link #crash()} by itself leaves the most, and {@link
   * #loseUnforcedContent()} a mixture. Times and permissions are not modelled, nor is a force that
   * comes after a failed one and succeeds, which counts as forcing everything, nor a force of a
   * file that has been deleted. The process is dead afterwards.
   */
  public void loseUnforced() {
    strike("by a power loss", tree::loseUnforced);
  }

  /**
   * Cuts the power, and leaves every name as it is now but only forced content under it.
   *
   * <p>So it goes where a file system writes names before contents: a file that was written and
   * renamed, but not forced, is there and empty. The process is dead afterwards.
   */
  public void loseUnforcedContent() {
    strike("by a power loss that spared the names", tree::loseUnforcedContent);
  }

  private void strike(String how, DurableTree.RealChange loss) {
    try {
      plan.exclusively(
          () -> {
            plan.crash(how);
            loss.run();
            return this;
          });
    } catch (IOException e) {
      throw new UncheckedIOException("the durable state could not be restored", e);
    }
  }
}
