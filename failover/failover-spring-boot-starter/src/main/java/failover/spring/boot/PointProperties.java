package failover.spring.boot;

import failover.FailoverSpecBuilder;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings {@code failover.points.<name>.*}, which come before what the annotation says. What
 * is not set is left to the annotation. Not safe for use by many threads.
 */
public class PointProperties {
  /** How long answers stay good, such as 6h. */
  private @Nullable Duration expiry;

  /** After which time a stored answer is given, if there is one. */
  private @Nullable Duration softTimeout;

  /** After which time a call is given up and interrupted. */
  private @Nullable Duration hardTimeout;

  /** How long the source is left alone at first, once it fails too often; 0s for not at all. */
  private @Nullable Duration pause;

  /** How long the source is left alone in the end, if it still fails. */
  private @Nullable Duration longestPause;

  /** What share of its recent calls must fail for a pause, more than 0 and up to 1. */
  private @Nullable Double pauseShare;

  /** How many of its recent calls must fail for a pause, of 3 different keys where keys differ. */
  private @Nullable Integer pauseMinimum;

  /** How long a call is recent, 1s to 1h. */
  private @Nullable Duration pauseWindow;

  /** Whether a live null removes the stored answer. */
  private @Nullable Boolean tombstones;

  /** Failures to be recovered; none for all but mistakes of callers. */
  private @Nullable List<Class<? extends Throwable>> recoverOn;

  /** Failures never to be recovered; wins over recover-on. */
  private @Nullable List<Class<? extends Throwable>> neverOn;

  /** Failures that remove the stored answer, besides HTTP 404 and 410. */
  private @Nullable List<Class<? extends Throwable>> removesOn;

  /** The name under which points share their answers. */
  private @Nullable String domain;

  /** The name of a KeyGenerator bean, which makes keys of arguments. */
  private @Nullable String keyGenerator;

  /** The name of an ExpiryPolicy bean, which decides when an answer is too old. */
  private @Nullable String expiryPolicy;

  /** The name of a Predicate bean, which says which answers are kept. */
  private @Nullable String keepIf;

  /** The version of the answers; stored ones of another count as missing. */
  private @Nullable Integer schemaVersion;

  /** Nothing set. */
  public PointProperties() {}

  /** Sets what is set here. */
  void applyTo(FailoverSpecBuilder<Object> point, PointBeans beans) {
    ifSet(expiry, point::expiry);
    ifSet(softTimeout, point::softTimeout);
    ifSet(hardTimeout, point::hardTimeout);
    ifSet(pause, point::firstPause);
    ifSet(longestPause, point::longestPause);
    ifSet(pauseShare, point::pauseShare);
    ifSet(pauseMinimum, point::pauseMinimum);
    ifSet(pauseWindow, point::pauseWindow);
    ifSet(tombstones, point::tombstones);
    ifSet(recoverOn, point::recoverOn);
    ifSet(neverOn, point::neverOn);
    ifSet(removesOn, point::removesOn);
    ifSet(domain, point::domain);
    ifSet(keyGenerator, name -> point.keyGenerator(beans.keyGenerator(name)));
    ifSet(expiryPolicy, name -> point.expiryPolicy(beans.expiryPolicy(name)));
    ifSet(keepIf, name -> point.keepIf(beans.predicate(name)));
    ifSet(schemaVersion, point::schemaVersion);
  }

  private static <V> void ifSet(@Nullable V value, Consumer<V> setter) {
    if (value != null) {
      setter.accept(value);
    }
  }

  /** How long answers stay good, such as 6h. */
  public @Nullable Duration getExpiry() {
    return expiry;
  }

  /** How long answers stay good, such as 6h. */
  public void setExpiry(@Nullable Duration expiry) {
    this.expiry = expiry;
  }

  /** After which time a stored answer is given, if there is one. */
  public @Nullable Duration getSoftTimeout() {
    return softTimeout;
  }

  /** After which time a stored answer is given, if there is one. */
  public void setSoftTimeout(@Nullable Duration softTimeout) {
    this.softTimeout = softTimeout;
  }

  /** After which time a call is given up and interrupted. */
  public @Nullable Duration getHardTimeout() {
    return hardTimeout;
  }

  /** After which time a call is given up and interrupted. */
  public void setHardTimeout(@Nullable Duration hardTimeout) {
    this.hardTimeout = hardTimeout;
  }

  /** How long the source is left alone at first, once it fails too often; 0s for not at all. */
  public @Nullable Duration getPause() {
    return pause;
  }

  /** How long the source is left alone at first, once it fails too often; 0s for not at all. */
  public void setPause(@Nullable Duration pause) {
    this.pause = pause;
  }

  /** How long the source is left alone in the end, if it still fails. */
  public @Nullable Duration getLongestPause() {
    return longestPause;
  }

  /** How long the source is left alone in the end, if it still fails. */
  public void setLongestPause(@Nullable Duration longestPause) {
    this.longestPause = longestPause;
  }

  /** What share of its recent calls must fail for a pause, more than 0 and up to 1. */
  public @Nullable Double getPauseShare() {
    return pauseShare;
  }

  /** What share of its recent calls must fail for a pause, more than 0 and up to 1. */
  public void setPauseShare(@Nullable Double pauseShare) {
    this.pauseShare = pauseShare;
  }

  /** How many of its recent calls must fail for a pause, of 3 different keys where keys differ. */
  public @Nullable Integer getPauseMinimum() {
    return pauseMinimum;
  }

  /** How many of its recent calls must fail for a pause, of 3 different keys where keys differ. */
  public void setPauseMinimum(@Nullable Integer pauseMinimum) {
    this.pauseMinimum = pauseMinimum;
  }

  /** How long a call is recent, 1s to 1h. */
  public @Nullable Duration getPauseWindow() {
    return pauseWindow;
  }

  /** How long a call is recent, 1s to 1h. */
  public void setPauseWindow(@Nullable Duration pauseWindow) {
    this.pauseWindow = pauseWindow;
  }

  /** Whether a live null removes the stored answer. */
  public @Nullable Boolean getTombstones() {
    return tombstones;
  }

  /** Whether a live null removes the stored answer. */
  public void setTombstones(@Nullable Boolean tombstones) {
    this.tombstones = tombstones;
  }

  /** Failures to be recovered; none for all but mistakes of callers. */
  public @Nullable List<Class<? extends Throwable>> getRecoverOn() {
    return recoverOn;
  }

  /** Failures to be recovered; none for all but mistakes of callers. */
  public void setRecoverOn(@Nullable List<Class<? extends Throwable>> recoverOn) {
    this.recoverOn = recoverOn;
  }

  /** Failures never to be recovered; wins over recover-on. */
  public @Nullable List<Class<? extends Throwable>> getNeverOn() {
    return neverOn;
  }

  /** Failures never to be recovered; wins over recover-on. */
  public void setNeverOn(@Nullable List<Class<? extends Throwable>> neverOn) {
    this.neverOn = neverOn;
  }

  /** Failures that remove the stored answer, besides HTTP 404 and 410. */
  public @Nullable List<Class<? extends Throwable>> getRemovesOn() {
    return removesOn;
  }

  /** Failures that remove the stored answer, besides HTTP 404 and 410. */
  public void setRemovesOn(@Nullable List<Class<? extends Throwable>> removesOn) {
    this.removesOn = removesOn;
  }

  /** The name under which points share their answers. */
  public @Nullable String getDomain() {
    return domain;
  }

  /** The name under which points share their answers. */
  public void setDomain(@Nullable String domain) {
    this.domain = domain;
  }

  /** The name of a KeyGenerator bean, which makes keys of arguments. */
  public @Nullable String getKeyGenerator() {
    return keyGenerator;
  }

  /** The name of a KeyGenerator bean, which makes keys of arguments. */
  public void setKeyGenerator(@Nullable String keyGenerator) {
    this.keyGenerator = keyGenerator;
  }

  /** The name of an ExpiryPolicy bean, which decides when an answer is too old. */
  public @Nullable String getExpiryPolicy() {
    return expiryPolicy;
  }

  /** The name of an ExpiryPolicy bean, which decides when an answer is too old. */
  public void setExpiryPolicy(@Nullable String expiryPolicy) {
    this.expiryPolicy = expiryPolicy;
  }

  /** The name of a Predicate bean, which says which answers are kept. */
  public @Nullable String getKeepIf() {
    return keepIf;
  }

  /** The name of a Predicate bean, which says which answers are kept. */
  public void setKeepIf(@Nullable String keepIf) {
    this.keepIf = keepIf;
  }

  /** The version of the answers; stored ones of another count as missing. */
  public @Nullable Integer getSchemaVersion() {
    return schemaVersion;
  }

  /** The version of the answers; stored ones of another count as missing. */
  public void setSchemaVersion(@Nullable Integer schemaVersion) {
    this.schemaVersion = schemaVersion;
  }
}
