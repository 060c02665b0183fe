package reactor.core.publisher;

import org.reactivestreams.Publisher;

/** Stands for the real one, which is known by what it implements. */
public abstract class Flux<T> implements Publisher<T> {}
