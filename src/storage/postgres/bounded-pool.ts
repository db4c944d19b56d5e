import pg from 'pg';

type Connected = Parameters<Exclude<Parameters<pg.Pool['connect']>[0], undefined>>;

/** The database, or this user, has no more connections to give. */
const TOO_MANY = '53300';
/** It is asked for more after this time. */
const CONTENT_MS = 10_000;

/**
 * A pool that refuses whoever comes when too many wait for a connection: the pool itself bounds only how long. When the
 * database has no more to give, it makes do with those it has for a while.
 */
export class BoundedPool extends pg.Pool {
  readonly #mostWaiting: number;
  readonly #most: number;

  constructor(mostWaiting: number, config: pg.PoolConfig & { readonly max: number }) {
    super(config);
    this.#mostWaiting = mostWaiting;
    this.#most = config.max;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: (...connected: Connected) => void): void;
  override connect(callback?: (...connected: Connected) => void): unknown {
    if (callback === undefined) {
      return new Promise<pg.PoolClient>((resolve, reject) => {
        this.connect((error, client) => (client === undefined ? reject(error) : resolve(client)));
      });
    }
    if (this.waitingCount >= this.#mostWaiting) {
      const refusal = Object.assign(new Error('Too many wait for a connection'), { code: 'EAGAIN' });
      return void process.nextTick(callback, refusal, undefined, () => undefined);
    }
    return super.connect((error, client, done) => {
      if (!this.#canMakeDo(error)) return callback(error, client, done);
      this.#makeDo();
      this.connect(callback);
    });
  }

  #canMakeDo(error: Error | undefined): boolean {
    return (error as { readonly code?: string } | undefined)?.code === TOO_MANY && this.totalCount > 0;
  }

  #makeDo(): void {
    const isAlready = this.options.max < this.#most;
    this.options.max = this.totalCount;
    if (isAlready) return;
    setTimeout(() => {
      this.options.max = this.#most;
    }, CONTENT_MS).unref();
  }
}
