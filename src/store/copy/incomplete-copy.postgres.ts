import type pg from 'pg';
import { COPY_PROGRESS, incompleteCopy } from './incomplete-copy.ts';

/** @throws LedgerlensError `incomplete_copy` */
export async function refuseIncompleteCopy(pool: pg.Pool, url: string): Promise<void> {
  const { rows } = await pool.query<{ readonly found: string | null }>('select to_regclass($1) as found', [
    COPY_PROGRESS,
  ]);
  if (rows[0]?.found != null) throw incompleteCopy(url);
}
