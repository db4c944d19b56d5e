import { setImmediate } from 'node:timers/promises';
import type { Sql } from '../../../storage/sql/sql.ts';
import { bareHex } from '../../../values/hex.ts';
import type { Work } from '../../../values/work.ts';
import type { IntegerRange, PageRequest } from '../../parameters/page-parameters.ts';

/** A slot of a contract with its value. */
export interface SlotValue {
  /** 32 bytes. */
  readonly slot: Uint8Array;
  /** Up to 32 bytes. */
  readonly value: Uint8Array;
  /** When it got the value. */
  readonly consensusTimestamp: bigint;
}

/** Bounds inclusive; slots have 32 bytes. */
interface SlotSelection extends PageRequest {
  readonly contract: bigint;
  readonly lower: Uint8Array;
  readonly upper: Uint8Array;
  /** Only these; null for all between the bounds. */
  readonly equal: readonly Uint8Array[] | null;
  /** The newest change within these times; null for the slots as they are. */
  readonly times: IntegerRange | null;
}

/** A slot that has changes; null when none of them is within the times. */
type FoundSlot = { readonly slot: Uint8Array } & (
  | Omit<SlotValue, 'slot'>
  | { readonly value: null; readonly consensusTimestamp: null }
);

/** Slots of one statement: other requests wait no longer. */
const STEP = 200;
/** Changes of all contracts; when there are more within the times, walking over the slots meets a page of them sooner. */
const FEW = 1000;

/** The storage of contracts. */
export type ContractStateRepository = ReturnType<typeof createContractStateRepository>;

/** Reads the tables `contract_state` and `contract_state_change`. */
export function createContractStateRepository(sql: Sql) {
  const statements = { asc: prepareInOrder(sql, 'asc'), desc: prepareInOrder(sql, 'desc') };
  const changes = sql.prepareExact<
    [bigint, bigint, number],
    { readonly contract: bigint; readonly slot: Uint8Array }
  >(
    `select contract_id as contract, slot from contract_state_change where consensus_ts between ? and ?
       limit ?`,
  );
  const listOf = (slots: readonly Uint8Array[]) => sql.dialect.textList(slots.map((slot) => bareHex(slot)));

  return {
    /** In the order of the slots. */
    async page(selection: SlotSelection) {
      const { contract, equal, limit, lower, order, times, upper } = selection;
      const { current, currentOf, listed } = statements[order];
      if (times === null) {
        return equal === null
          ? sql.read(() => current.all(contract, lower, upper, limit))
          : sql.read(() => currentOf.all(listOf(equal), contract, lower, upper, limit));
      }
      const found = await sql.readTogether(function* () {
        const slots = equal ?? (yield* firstChanged(selection, times));
        if (slots === null) return null;
        if (slots.length === 0) return [];
        const bounds = [contract, times.lower, times.upper] as const;
        return yield* listed.all(...bounds, ...bounds, listOf(slots), lower, upper);
      });
      return found === null ? walk(selection, times) : found.filter(isSet).slice(0, limit);
    },
  };

  /** The slots of a page when few changed within the times, in no order; null when many did. */
  function* firstChanged(
    { contract, limit, lower, order, upper }: SlotSelection,
    times: { readonly lower: bigint; readonly upper: bigint },
  ): Work<readonly Uint8Array[] | null> {
    const found = yield* changes.all(times.lower, times.upper, FEW + 1);
    if (found.length > FEW) return null;
    const slots = found
      .filter((change) => change.contract === contract)
      .map(({ slot }) => slot)
      .filter((slot) => Buffer.compare(slot, lower) >= 0 && Buffer.compare(slot, upper) <= 0)
      .sort((one, other) => (order === 'asc' ? Buffer.compare(one, other) : Buffer.compare(other, one)));
    return slots
      .filter((slot, place) => place === 0 || Buffer.compare(slot, slots[place - 1] ?? lower) !== 0)
      .slice(0, limit);
  }

  /** Takes the next slots until enough of them changed within the times. */
  async function walk(
    { contract, limit, lower, order, upper }: SlotSelection,
    times: { readonly lower: bigint; readonly upper: bigint },
  ): Promise<readonly SlotValue[]> {
    const page: SlotValue[] = [];
    const bounds = [contract, times.lower, times.upper] as const;
    const [first, last] = order === 'asc' ? [lower, upper] : [upper, lower];
    let isFirst = true;
    for (let from = first; ; ) {
      const { following, starting } = statements[order];
      const statement = isFirst ? starting : following;
      const values = [contract, from, contract, ...bounds, ...bounds, last, STEP];
      const found: readonly FoundSlot[] = await sql.read(() => statement.all(...values));
      page.push(...found.filter(isSet));
      const reached: Uint8Array | undefined = found.at(-1)?.slot;
      if (page.length >= limit || found.length < STEP || reached === undefined) return page.slice(0, limit);
      [from, isFirst] = [reached, false];
      await setImmediate();
    }
  }
}

function prepareInOrder(sql: Sql, order: 'asc' | 'desc') {
  const { bytesOf, eachText, orderedJoin } = sql.dialect;
  const [after, upTo] = order === 'asc' ? ['>', '<='] : ['<', '>='];
  const next = (comparison: string) =>
    `(select n.slot from contract_state_change n where n.contract_id = ? and n.slot ${comparison}
       order by n.slot ${order} limit 1)`;
  const newest = (column: string) =>
    `(select ${column} from contract_state_change c where c.contract_id = ? and c.slot = w.slot
       and c.consensus_ts between ? and ? order by c.consensus_ts desc, c.is_migration limit 1)`;
  const found = `w.slot, ${newest('coalesce(c.value_written, c.value_read)')} as value,
    ${newest('c.consensus_ts')} as "consensusTimestamp"`;
  // One search for each slot, however often it changed.
  const walk = (comparison: string) =>
    sql.prepareExact<unknown[], FoundSlot>(
      `with recursive walked(slot) as (
       select ${next(`${comparison} ?`)} as slot
           union all select ${next(`${after} walked.slot`)} from walked where walked.slot is not null)
         select ${found} from (select slot from walked where slot ${upTo} ?) w limit ?`,
    );
  return {
    current: sql.prepareExact<unknown[], SlotValue>(
      `select slot, value, modified_ts as "consensusTimestamp" from contract_state
       where contract_id = ? and slot between ? and ? order by slot ${order} limit ?`,
    ),
    currentOf: sql.prepareExact<unknown[], SlotValue>(
      `select s.slot, s.value, s.modified_ts as "consensusTimestamp"
       from (select distinct ${bytesOf('value')} as slot from ${eachText('listed')}) w
       ${orderedJoin} contract_state s on s.contract_id = ? and s.slot = w.slot
       where s.slot between ? and ? order by s.slot ${order} limit ?`,
    ),
    listed: sql.prepareExact<unknown[], FoundSlot>(
      `select ${found} from (select distinct ${bytesOf('value')} as slot from ${eachText('listed')}) w
       where w.slot between ? and ? order by w.slot ${order}`,
    ),
    starting: walk(`${after}=`),
    following: walk(after),
  };
}

function isSet(found: FoundSlot): found is SlotValue {
  return found.value !== null;
}
