package org.reactivestreams;

/** Stands for the real one, which is known by its name. */
public interface Publisher<T> {}
