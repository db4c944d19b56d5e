import pg from 'pg';

type Connected = Parameters<Exclude<Parameters<pg.Pool['connect']>[0], undefined>>;

/** A pool that refuses whoever comes when too many wait for a connection: the pool itself bounds only how long. */
export class BoundedPool extends pg.Pool {
  readonly #mostWaiting: number;

  constructor(mostWaiting: number, config: pg.PoolConfig) {
    super(config);
    this.#mostWaiting = mostWaiting;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: (...connected: Connected) => void): void;
  override connect(callback?: (...connected: Connected) => void): unknown {
    if (this.waitingCount < this.#mostWaiting) {
      return callback === undefined ? super.connect() : super.connect(callback);
    }
    const refusal = Object.assign(new Error('Too many wait for a connection'), { code: 'EAGAIN' });
    if (callback === undefined) return Promise.reject(refusal);
    return void process.nextTick(callback, refusal, undefined, () => undefined);
  }
}
