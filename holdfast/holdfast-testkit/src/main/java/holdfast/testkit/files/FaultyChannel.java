package holdfast.testkit.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A real file channel whose changes go through the plan.
 *
 * <p>A crash closes the real channel, which releases its locks, and leaves this one to say so. Safe
 * for use by many threads, as every file channel.
 */
final class FaultyChannel extends FileChannel {

  private static final int CHUNK = 64 * 1024;

  private final RealFile file;
  private final FileChannel real;
  private final FaultPlan plan;
  private final ProcessLife life;
  private final String path;
  private final boolean writing;

  FaultyChannel(RealFile file, FaultPlan plan, ProcessLife life, String path, boolean writing) {
    this.file = file;
    this.real = file.channel();
    this.plan = plan;
    this.life = life;
    this.path = path;
    this.writing = writing;
    life.opened(real);
  }

  private <T> T living(IoCall<T> call) throws IOException {
    life.requireAlive();
    if (!isOpen()) {
      throw new ClosedChannelException();
    }
    try {
      return call.run();
    } catch (ClosedChannelException e) {
      // The crash closed the real channel under this call, or an interrupt did, which has to close
      // this one too; or it is the other channel of a transfer that is closed.
      life.requireAlive();
      if (!real.isOpen() || e instanceof ClosedByInterruptException) {
        close();
      }
      throw e;
    }
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    return living(() -> real.read(target));
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    return living(() -> real.read(targets, offset, length));
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    return living(() -> real.read(target, position));
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return write(source, bytes -> file.write(source, bytes));
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    if (position < 0) {
      throw new IllegalArgumentException("position must be zero or more but was " + position);
    }
    return write(source, bytes -> file.write(source, bytes, position));
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    // Gathered first, so that what the caller writes at once is one operation.
    int total = 0;
    for (int i = offset; i < offset + length; i++) {
      total = Math.addExact(total, sources[i].remaining());
    }
    ByteBuffer gathered = ByteBuffer.allocate(total);
    for (int i = offset; i < offset + length; i++) {
      gathered.put(sources[i].duplicate());
    }
    int written = write(gathered.flip());
    int left = written;
    for (int i = offset; i < offset + length; i++) {
      int taken = Math.min(left, sources[i].remaining());
      sources[i].position(sources[i].position() + taken);
      left -= taken;
    }
    return written;
  }

  private int write(ByteBuffer source, FaultPlan.Portion effect) throws IOException {
    return living(
        () -> {
          requireWriting();
          return source.hasRemaining() ? plan.write(path, source.remaining(), effect) : 0;
        });
  }

  private void requireWriting() {
    if (!writing) {
      throw new NonWritableChannelException();
    }
  }

  @Override
  public long position() throws IOException {
    return living(real::position);
  }

  @Override
  public FileChannel position(long position) throws IOException {
    living(() -> real.position(position));
    return this;
  }

  @Override
  public long size() throws IOException {
    return living(real::size);
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    if (size < 0) {
      throw new IllegalArgumentException("size must be zero or more but was " + size);
    }
    living(
        () -> {
          requireWriting();
          return plan.change(FileOperation.TRUNCATE, path, path, () -> file.truncate(size));
        });
    return this;
  }

  @Override
  public void force(boolean metaData) throws IOException {
    FileOperation operation =
        file.isDirectory() ? FileOperation.FORCE_DIRECTORY : FileOperation.FORCE;
    living(() -> plan.change(operation, path, path, () -> file.force(metaData)));
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    return living(() -> real.transferTo(position, count, target));
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count)
      throws IOException {
    if (position > size()) {
      return 0;
    }
    ByteBuffer chunk = ByteBuffer.allocate((int) Math.min(CHUNK, count));
    long done = 0;
    while (done < count) {
      chunk.clear().limit((int) Math.min(chunk.capacity(), count - done));
      if (source.read(chunk) <= 0) {
        break;
      }
      for (chunk.flip(); chunk.hasRemaining(); ) {
        done += write(chunk, position + done);
      }
    }
    return done;
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) {
    throw new UnsupportedOperationException(
        "a faulty file cannot be mapped, since changes in memory have no number; use read and"
            + " write");
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) throws IOException {
    return living(() -> new FaultyLock(this, real.lock(position, size, shared)));
  }

  @Override
  public @Nullable FileLock tryLock(long position, long size, boolean shared) throws IOException {
    Optional<FileLock> taken =
        living(() -> Optional.ofNullable(real.tryLock(position, size, shared)));
    return taken.map(lock -> new FaultyLock(this, lock)).orElse(null);
  }

  @Override
  protected void implCloseChannel() throws IOException {
    life.closed(real);
    real.close();
  }
}
