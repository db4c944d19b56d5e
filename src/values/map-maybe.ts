/** What may be at hand: waiting for a promise each time would cost more than what it brings. */
export type MaybePromise<T> = T | Promise<T>;

/** Goes on with a value: at once when it is there, later when it is promised. */
export function mapMaybe<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
