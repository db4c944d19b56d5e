import type pg from 'pg';

/** Runs work on one connection of a pool; a connection that is lost meanwhile does not go back. */
export async function withConnection<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection that ends between two statements has nobody else who would hear it.
  const onError = (reason: Error): void => {
    broken = reason;
  };
  client.on('error', onError);
  try {
    return await work(client);
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}
