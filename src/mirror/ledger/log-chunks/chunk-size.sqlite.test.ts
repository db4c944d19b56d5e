import { expect, test } from 'vitest';
import { openDatabase } from '../../../storage/open-database.ts';
import { CHUNK_SCALE } from './log-chunk.ts';
import { packPlaces } from './place-bits.ts';

const TIME = 1_700_000_000_000_000_000n;

/** Pages behind the one of the index, of a chunk with a key that every log has. */
function pagesBehind(size: number): unknown {
  const database = openDatabase(':memory:');
  try {
    database.prepare('insert into contract_log_chunk values (?, ?, ?)').run(TIME, size, Buffer.alloc(0));
    const places = packPlaces([...Array(size).keys()], size);
    database.prepare('insert into contract_log_chunk_key values (4, ?, ?, ?)').run(-TIME, TIME, places);
    return database
      .prepare("select count(*) from dbstat where name = 'contract_log_chunk_key' and pagetype = 'overflow'")
      .pluck()
      .get();
  } finally {
    database.close();
  }
}

test('what a full chunk tells of a key lies on the page of the index, also when its last time has 500 more logs', () => {
  expect(pagesBehind(CHUNK_SCALE.fullSize + 500)).toBe(0);
  expect(pagesBehind(CHUNK_SCALE.fullSize + 1024)).toBe(1);
});
