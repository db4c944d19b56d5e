import type { FixtureRows } from '../../src/mirror/ledger/fixture-unit.ts';
import type { LedgerTransaction } from '../../src/mirror/ledger/rows.ts';
import type { MirrorStore } from '../../src/mirror/mirror-store.ts';
import type { ConsensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import { type EntityId, entityId } from '../../src/values/entity-id.ts';
import { MAX_INT64 } from '../../src/values/int64.ts';
import { aToken, someFees } from '../kit/mirror/ledger/a-token.ts';

/** Of a bound, a whole number below it. */
export type Random = (below: number) => number;

type Held = Readonly<Record<string, unknown>>;

/** What a transaction changes of one thing. */
export interface DrawnChange {
  readonly key: string;
  /** Since when it holds, where nothing later was told before; 0 where it moves no time. */
  readonly since: bigint;
  readonly make: (before: Held) => Held;
  /** Whether it changes nothing where nothing was told before. Default false. */
  readonly isOfKnown?: boolean;
  readonly rows: FixtureRows;
  readonly nftTransfers?: LedgerTransaction['nftTransfers'];
}

/** What held when, by key: the ranges in their order. */
export type Histories = ReadonlyMap<string, readonly { readonly since: bigint; readonly held: Held }[]>;

const ACCOUNTS = [1000n, 1001n, 1002n].map(entityId);
const TOKENS = [5000n, 5001n].map(entityId);
const UNIQUE_TOKEN = entityId(6000n);
const SERIALS = [1n, 2n];
const TOPICS = [7000n, 7001n].map(entityId);
const NO_KEYS = { adminKey: null, submitKey: null };
const ANYTHING = { equal: null, lower: null, upper: null };
const LIMIT = 25;

/** Draws a change for each of some times; what nobody created cannot be updated. */
export function createChangeDrawer(random: Random): (at: ConsensusTimestamp) => DrawnChange {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const text = () => `${random(1000)}`;
  const created = new Set<EntityId>();
  const amount = () => BigInt(1 + random(9));
  const draws: readonly ((at: ConsensusTimestamp) => Omit<DrawnChange, 'since'> & { since?: bigint })[] = [
    (at) => {
      const [entity, memo] = [pick(ACCOUNTS), text()];
      const rows = { entityChanges: [{ entity, changedTimestamp: at, memo }] };
      return { key: `account ${entity}`, rows, make: () => ({ memo }) };
    },
    (at) => {
      const token = pick(TOKENS);
      const key = `token ${token}`;
      const told = { name: text(), pauseStatus: pick(['PAUSED', 'UNPAUSED'] as const) };
      const update = pick([{ name: told.name }, { pauseStatus: told.pauseStatus }]);
      if (created.has(token)) {
        const rows = { tokens: [{ token, consensusTimestamp: at, update }] };
        return { key, rows, make: (before) => ({ ...before, ...update }) };
      }
      created.add(token);
      const entityChanges = [{ entity: token, changedTimestamp: at, memo: '' }];
      return { key, rows: { tokens: [aToken(token, at, told)], entityChanges }, make: () => told };
    },
    (at) => {
      const [token, count] = [pick(TOKENS), random(4)];
      return {
        key: `fees ${token}`,
        rows: { customFees: [someFees(token, at, count)] },
        make: () => ({ count }),
      };
    },
    (at) => {
      const [topic, memo, name, key] = [pick(TOPICS), text(), pick(['adminKey', 'submitKey']), text()];
      const rows = {
        topics: [{ topic, consensusTimestamp: at, [name]: Buffer.from(key) }],
        entityChanges: [{ entity: topic, changedTimestamp: at, memo }],
      };
      return {
        key: `topic ${topic}`,
        rows,
        make: (before) => ({ ...NO_KEYS, ...before, [name]: key, memo }),
      };
    },
    () => {
      const [serial, account] = [pick(SERIALS), pick(ACCOUNTS)];
      const moved = {
        token: UNIQUE_TOKEN,
        sender: pick(ACCOUNTS),
        receiver: account,
        serial,
        isApproval: false,
      };
      return {
        key: `nft ${serial}`,
        rows: {},
        nftTransfers: [moved],
        make: () => ({ account, spender: null }),
      };
    },
    (at) => {
      const [serial, spender] = [pick(SERIALS), pick(ACCOUNTS)];
      const told = { kind: 'change' as const, token: UNIQUE_TOKEN, serial, consensusTimestamp: at, spender };
      return {
        key: `nft ${serial}`,
        rows: { nfts: [told] },
        make: (before) => ({ account: null, ...before, spender }),
      };
    },
    (at) => {
      const [owner, spender, granted] = [pick(ACCOUNTS), pick(ACCOUNTS), amount()];
      const grant = {
        is: 'grant',
        kind: 'hbar',
        owner,
        spender,
        token: null,
        granted,
        amount: granted,
      } as const;
      const rows = { allowances: [{ ...grant, timestamp: at }] };
      return { key: `allowance ${owner} ${spender}`, rows, make: () => ({ granted, amount: granted }) };
    },
    (at) => {
      const [owner, spender, spent] = [pick(ACCOUNTS), pick(ACCOUNTS), amount()];
      const debit = { is: 'debit', kind: 'hbar', owner, spender, token: null, spent, timestamp: at } as const;
      const left = (before: unknown) => ((before as bigint) > spent ? (before as bigint) - spent : 0n);
      return {
        key: `allowance ${owner} ${spender}`,
        since: 0n,
        isOfKnown: true,
        rows: { allowances: [debit] },
        make: (before) => ({ ...before, amount: left(before['amount']) }),
      };
    },
    (at) => {
      const state = pick(['pending', 'pending', 'cancelled'] as const);
      const [sender, receiver] = [pick(ACCOUNTS), pick(ACCOUNTS)];
      const told = state === 'pending' ? { amount: amount() } : {};
      const token = entityId(5000n);
      return {
        key: `airdrop ${sender} ${receiver}`,
        isOfKnown: state === 'cancelled',
        rows: { airdrops: [{ sender, receiver, token, serial: 0n, state, timestamp: at, ...told }] },
        make: (before) => ({ ...before, ...told, state }),
      };
    },
  ];
  return (at) => ({ since: at, ...pick(draws)(at) });
}

/** The rows that several changes tell, in their order. */
export function rowsOfChanges(changes: readonly DrawnChange[]): FixtureRows {
  const lists = new Map<string, unknown[]>();
  for (const { rows } of changes) {
    for (const [name, list] of Object.entries(rows))
      lists.set(name, [...(lists.get(name) ?? []), ...(list as [])]);
  }
  return Object.fromEntries(lists);
}

/** Change by change in the order of the ledger: none holds since before what it replaces. */
export function replayed(changes: readonly DrawnChange[]): Histories {
  const histories = new Map<string, { since: bigint; held: Held }[]>();
  for (const { isOfKnown = false, key, make, since } of changes) {
    const ranges = histories.get(key) ?? [];
    const last = ranges.at(-1);
    if (last === undefined ? isOfKnown : false) continue;
    histories.set(key, ranges);
    if (last !== undefined && since <= last.since) last.held = make(last.held);
    else ranges.push({ since, held: make(last?.held ?? {}) });
  }
  return histories;
}

/** What holds at the end, and what held at some times of that which has a history. */
export function replayedStates(histories: Histories, times: readonly bigint[]): ReadonlyMap<string, unknown> {
  const states = new Map<string, unknown>();
  const at = (key: string, time: bigint) => {
    const range = histories.get(key)?.findLast(({ since }) => since <= time);
    return range === undefined ? null : { since: range.since, ...range.held };
  };
  for (const [key, ranges] of histories) {
    const { held, since } = ranges.at(-1) ?? { held: {}, since: 0n };
    const [kind, id] = key.split(' ');
    const fees = (time: bigint) => at(`fees ${id}`, time);
    if (kind === 'token') states.set(key, { since, ...held, fees: fees(MAX_INT64) });
    else if (kind === 'airdrop' ? held['state'] === 'pending' : held['amount'] !== 0n && kind !== 'fees')
      states.set(key, { since, ...held });
    for (const time of times) {
      const found = at(key, time);
      if (found === null) continue;
      if (kind === 'account') states.set(`${key} at ${time}`, found);
      if (kind === 'token' && fees(time) !== null)
        states.set(`${key} at ${time}`, { ...found, fees: fees(time) });
    }
  }
  return states;
}

/** The same of a ledger. */
export async function storedStates(
  mirror: MirrorStore,
  times: readonly bigint[],
): Promise<ReadonlyMap<string, unknown>> {
  const { airdrops, allowances, entities, nfts, tokens, topics } = mirror;
  const states = new Map<string, unknown>();
  const add = (key: string, state: object | null) => {
    if (state !== null) states.set(key, state);
  };
  const accountState = (found: Awaited<ReturnType<typeof entities.find>>) =>
    (found?.memo ?? null) === null ? null : { since: found?.changedTimestamp, memo: found?.memo };
  const tokenState = async (id: EntityId, time: bigint | null) => {
    const found = await tokens.find(id, time);
    if (found === null) return null;
    const { changedTimestamp: since, fees, name, pauseStatus } = found;
    const list = fees && { since: fees.since, count: (JSON.parse(fees.fixed) as unknown[]).length };
    return { since, name, pauseStatus, fees: list };
  };
  for (const id of ACCOUNTS) {
    add(`account ${id}`, accountState(await entities.find(id)));
    for (const time of times) {
      const found = await entities.findAt(id, { lower: time, upper: time, excluded: [] });
      add(`account ${id} at ${time}`, accountState(found));
    }
    const page = { account: id, order: 'asc', limit: LIMIT } as const;
    for (const { amount, granted, since, spender } of await allowances.hbar({ ...page, spenders: null })) {
      add(`allowance ${id} ${spender}`, { since, granted, amount });
    }
    const conditions = [ANYTHING, ANYTHING, ANYTHING];
    for (const { amount, receiver, since } of await airdrops.page({ ...page, side: 'sender', conditions })) {
      add(`airdrop ${id} ${receiver}`, { since, amount, state: 'pending' });
    }
  }
  for (const id of TOKENS) {
    add(`token ${id}`, await tokenState(id, null));
    for (const time of times) add(`token ${id} at ${time}`, await tokenState(id, time));
  }
  for (const id of TOPICS) {
    const found = await topics.find(id);
    if (found === null) continue;
    const { adminKey, changedTimestamp: since, memo, submitKey } = found;
    add(`topic ${id}`, {
      since,
      memo,
      adminKey: adminKey?.toString() ?? null,
      submitKey: submitKey?.toString() ?? null,
    });
  }
  for (const serial of SERIALS) {
    const found = await nfts.find(UNIQUE_TOKEN, serial);
    add(`nft ${serial}`, found && { since: found.changed, account: found.account, spender: found.spender });
  }
  return states;
}
