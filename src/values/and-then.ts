/** What may be at hand: waiting for a promise each time would cost more than what it brings. */
export type Awaitable<T> = T | Promise<T>;

/** Goes on with a value: at once when it is there, later when it is promised. */
export function andThen<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
