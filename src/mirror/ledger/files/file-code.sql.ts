import { createHash } from 'node:crypto';
import type { Sql } from '../../../storage/sql/sql.ts';
import { parseHex } from '../../../values/hex.ts';
import { MAX_INT64 } from '../../../values/int64.ts';
import type { Work } from '../../../values/work.ts';
import { messages } from '../../protobuf/messages.ts';
import { bodyOf } from '../../protobuf/transaction-body.ts';
import { placeOfTime } from '../place-of-time.sql.ts';

/**
 * @param before time of a transaction, nanoseconds: what precedes that in the chain counts, whatever the times
 * @returns what the file had; null when the ledger does not tell.
 */
type FileReader = (file: bigint, before: bigint) => Work<Uint8Array | null>;

/** Where a transaction stands in the chain. */
interface ChainPlace {
  readonly consensus_ts: bigint;
  /** Of its block; null after the last one. */
  readonly place: bigint | null;
  /** Within its block; null where that is in the order of time. */
  readonly seq: bigint | null;
}

interface WriteRow extends ChainPlace {
  readonly transaction_bytes: Buffer | null;
}

/** Transactions that are in memory together; most files are written by fewer. */
const BATCH = 64;

interface ContractRow {
  readonly id: bigint;
  readonly file_id: bigint;
  readonly created_ts: bigint;
}

/** Puts the code in files, which is hex text, together from the transactions that wrote them. */
export function createFileCodeReader(sql: Sql): FileReader {
  const read = createFileReader(sql);
  return function* (file, before) {
    const contents = yield* read(file, before);
    return contents === null ? null : creationCodeOfFile(contents);
  };
}

/** Puts the contents of files together from the transactions that wrote them, and the pieces that were kept from before. */
export function createFileReader(sql: Sql): FileReader {
  const placeColumns = (time: string) => `${placeOfTime(time)} as place,
    (select p.seq from tx_place p where p.consensus_ts = ${time}) as seq`;
  // The condition on type is that of the index; facet 4 is success. PostgreSQL would walk the bytes of all newer
  // transactions to join them.
  const transactions = sql.prepareExact<[bigint, bigint, number], WriteRow>(
    `select t.consensus_ts, ${placeColumns('t.consensus_ts')},
       (select s.transaction_bytes from tx_source s where s.consensus_ts = t.consensus_ts) as transaction_bytes
     from tx t where t.type in (16, 17, 19) and t.entity_id = ? and t.consensus_ts < ? and t.facet & 4 <> 0
     order by t.consensus_ts desc limit ?`,
  );
  const placeAt = sql.prepareExact<[bigint], ChainPlace>(
    `select b.consensus_ts, ${placeColumns('b.consensus_ts')}
     from (select cast(? as bigint) as consensus_ts) b`,
  );
  const stepBack = sql.prepareExactValue<[], bigint>('select step_back from ledger_state where only_row = 1');
  const versionStart = sql.prepareExactValue<[bigint, bigint], bigint>(
    `select consensus_ts from file_piece where file_id = ? and consensus_ts < ? and tx_type in (17, 19)
     order by consensus_ts desc limit 1`,
  );
  const pieces = sql.prepareValue<[bigint, bigint, bigint], Buffer>(
    `select contents from file_piece where file_id = ? and consensus_ts >= ? and consensus_ts < ?
     order by consensus_ts desc`,
  );
  /** What it had before the transactions that are stored. */
  const piecesBefore = function* (file: bigint, time: bigint): Work<readonly FileWrite[]> {
    const start = yield* versionStart.get(file, time);
    if (start === undefined) return [];
    const rows = yield* pieces.all(file, start, time);
    return rows.map((contents, index) => ({ replaces: index === rows.length - 1, contents }));
  };
  return function* (file, before) {
    const end = (yield* placeAt.get(before)) ?? { consensus_ts: before, place: null, seq: null };
    const back = (yield* stepBack.get()) ?? 0n;
    const writes: (FileWrite & ChainPlace)[] = [];
    let replacedAt: bigint | null = null;
    let [time, isMore] = [before + back + 1n, true];
    while (isMore) {
      const rows: readonly WriteRow[] = yield* transactions.all(file, time, BATCH);
      for (const { transaction_bytes: bytes, ...place } of rows) {
        if (bytes === null || chainOrder(place, end) >= 0) continue;
        const write = readFileWrite(bytes);
        writes.push({ ...write, ...place });
        if (write.replaces) replacedAt ??= place.consensus_ts;
      }
      time = rows.at(-1)?.consensus_ts ?? time;
      // What lies further apart than times ever stepped back stands in the order of time.
      isMore = rows.length === BATCH && (replacedAt === null || time >= replacedAt - back);
    }
    writes.sort((one, other) => chainOrder(other, one));
    const first = writes.reduce((least, { consensus_ts: at }) => (at < least ? at : least), before);
    return contentsOfFile(replacedAt === null ? [...writes, ...(yield* piecesBefore(file, first))] : writes);
  };
}

function chainOrder(one: ChainPlace, other: ChainPlace): number {
  const keys: [bigint, bigint][] = [[one.place ?? MAX_INT64, other.place ?? MAX_INT64]];
  if (one.seq !== null && other.seq !== null) keys.push([one.seq, other.seq]);
  keys.push([one.consensus_ts, other.consensus_ts]);
  const [left, right] = keys.find(([a, b]) => a !== b) ?? [0n, 0n];
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * Keeps the code of contracts that are about to lose the transactions that wrote their file, or their own.
 *
 * @returns a function from the first and last of these transactions, nanoseconds; the caller opens the database
 * transaction.
 */
export function createFileCodeKeeper(sql: Sql): (first: bigint, last: bigint) => Work<void> {
  const { orderedJoin } = sql.dialect;
  const unkept = 'c.file_id is not null and c.file_code is null and c.creation_code is null';
  // A contract may be deleted before its file, where its time is earlier: with it goes what tells that it came later.
  // The sign keeps SQLite from the index by type, of which it would read all.
  const contracts = sql.prepareExact<[{ first: bigint; last: bigint }], ContractRow>(
    `select c.id, c.file_id, c.created_ts from tx t
     ${orderedJoin} ledger_contract c on c.file_id = t.entity_id
     where +t.type in (16, 17, 19) and t.consensus_ts between @first and @last
       and ${unkept} and c.created_ts is not null
     union
     select c.id, c.file_id, c.created_ts from tx t
     ${orderedJoin} ledger_contract c on c.id = t.entity_id and c.created_ts = t.consensus_ts
     where t.consensus_ts between @first and @last and ${unkept}`,
  );
  const putCode = sql.prepare(
    'insert into ledger_code (hash, code) values (?, ?) on conflict (hash) do nothing',
  );
  const setCode = sql.prepare('update ledger_contract set file_code = ? where id = ?');
  const read = createFileCodeReader(sql);
  return function* (first, last) {
    for (const { created_ts, file_id, id } of yield* contracts.all({ first, last })) {
      const code = yield* read(file_id, created_ts);
      if (code === null) continue;
      const hash = createHash('sha256').update(code).digest();
      yield* putCode.run(hash, code);
      yield* setCode.run(hash, id);
    }
  };
}

/** What one transaction wrote into a file. */
interface FileWrite {
  /** True when it replaces what was there: a creation, or an update with contents. */
  readonly replaces: boolean;
  readonly contents: Uint8Array;
}

/** Reads the contents that a FILECREATE, FILEUPDATE or FILEAPPEND has in its body. */
function readFileWrite(transaction: Uint8Array): FileWrite {
  const body = messages.TransactionBody.decode(bodyOf(transaction));
  if (body.fileCreate !== null) return { replaces: true, contents: body.fileCreate.contents };
  // An update without contents changes keys or memo only.
  if (body.fileUpdate !== null) {
    return { replaces: body.fileUpdate.contents.length > 0, contents: body.fileUpdate.contents };
  }
  return { replaces: false, contents: body.fileAppend?.contents ?? new Uint8Array() };
}

/** @param newestFirst the last writes to a file @returns null when the file was begun before them */
function contentsOfFile(newestFirst: Iterable<FileWrite>): Uint8Array | null {
  const parts: Uint8Array[] = [];
  for (const { replaces, contents } of newestFirst) {
    parts.unshift(Uint8Array.from(contents));
    if (replaces) return new Uint8Array(Buffer.concat(parts));
  }
  return null;
}

/** The code in a file with its hex text; null when it is empty or holds anything else. */
function creationCodeOfFile(contents: Uint8Array): Uint8Array | null {
  const code = parseHex(Buffer.from(contents).toString('latin1').trim());
  return code === null || code.length === 0 ? null : new Uint8Array(code);
}
