import { NANOS_PER_SECOND } from '../../../values/consensus-timestamp.ts';
import { MAX_NUM } from '../../../values/entity-id.ts';
import { type FixtureObject, idIn, integer, objects, required, time } from '../../items/fixture-members.ts';
import { SYSTEM_ACCOUNT } from '../../vocabulary/system-accounts.ts';
import { isNewHalfYear, isNewMonth } from '../balance-snapshots.ts';
import type { FoldedUnit, FoldState, SetChange } from '../fold/fold-state.ts';
import type { Snapshot } from '../fold/ledger-clock.ts';
import type { LedgerUnit } from '../rows.ts';
import type { Facet, FacetOutput, FixtureContext } from './facet.ts';
import { HBAR_SNAPSHOT, SNAPSHOT_TIME, type StatedSnapshot, TOKEN_SNAPSHOT } from './snapshot-tables.ts';

/** Deleted accounts, and tokens that an account gave up, are in a full snapshot as long as this after their last change. */
const ENDED_NANOS = 30n * 86_400n * NANOS_PER_SECOND;
/** The accounts whose balances the supply of the network adds up are among these numbers. */
const LAST_SYSTEM_NUM = 1000n;
/** Every balance is newer. */
const NEVER = -1n;

/**
 * Snapshots of balances: what changed since the one before, and the treasury; system accounts at the first of a month,
 * everything at the first of a half year. Rows state balances as a snapshot has them, which do not change those of now.
 *
 * @see contracts/mirror-entities.md sections 1.6 and 11.9; docs/adr/0017-ledger-state-is-a-fold.md
 */
export const balanceSnapshots: Facet<'statedSnapshots', StatedSnapshot> = {
  name: 'statedSnapshots',

  fixture: { kind: 'balance_snapshot', read: readSnapshotLine },

  fold(folded, state) {
    const { snapshot, unit } = folded;
    for (const stated of unit.statedSnapshots) tell(stated, state);
    for (const { timestamp } of unit.balances)
      state.rows(SNAPSHOT_TIME).set({ at: timestamp, isWindowed: 1n, knownFrom: 0n });
    if (snapshot !== null) take(snapshot, folded, state);
  },

  rebuild: { replaced: ['balance_snapshot', 'token_balance_snapshot', 'balance_snapshot_time'] },
};

function tell({ account, balance, isTime, timestamp: at, tokens }: StatedSnapshot, state: FoldState): void {
  if (balance !== null) state.rows(HBAR_SNAPSHOT).set({ account, at, balance });
  for (const each of tokens) {
    state.rows(TOKEN_SNAPSHOT).set({ account, token: each.token, at, balance: each.balance });
  }
  if (isTime) state.rows(SNAPSHOT_TIME).set({ at, isWindowed: 1n, knownFrom: 0n });
}

function take({ at, last }: Snapshot, { clock, unit }: FoldedUnit, state: FoldState): void {
  const home = homeOf(unit);
  const [first, lastSystem] =
    last === null || isNewMonth(last, at)
      ? [home, home + LAST_SYSTEM_NUM]
      : [home + SYSTEM_ACCOUNT.TREASURY, home + SYSTEM_ACCOUNT.TREASURY];
  const isFull = last !== null && isNewHalfYear(last, at);
  const since = last ?? NEVER;
  const knownFrom = clock.forgottenAt === null ? 0n : clock.forgottenAt + 1n;
  const changes: readonly SetChange[] = [
    { name: 'snapshot-balances', values: [at, since] },
    { name: 'snapshot-system-balances', values: [at, first, lastSystem] },
    { name: 'snapshot-token-balances', values: [at, since] },
    ...(isFull
      ? ([
          { name: 'snapshot-all-balances', values: [at, at - ENDED_NANOS] },
          { name: 'snapshot-all-token-balances', values: [at, at - ENDED_NANOS] },
        ] as const)
      : []),
    { name: 'mark-snapshot', values: [at, isFull ? 1n : 0n, knownFrom] },
  ];
  for (const change of changes) state.changeAfterAll(change);
}

/** Number 0 of the shard and realm in which the network's accounts lie. */
function homeOf({ transactions }: LedgerUnit): bigint {
  const payer = transactions[0]?.payer ?? 0n;
  return payer - (BigInt.asUintN(64, payer) & MAX_NUM);
}

/** Reads an item of `balances` with the time of its list. @see contracts/mirror-entities.md section 5 */
function readSnapshotLine(line: FixtureObject, { home }: FixtureContext): FacetOutput<StatedSnapshot> {
  const id = idIn(home);
  return {
    rows: [
      {
        account: required(line, 'account', id),
        balance: integer(line, 'balance'),
        timestamp: required(line, 'timestamp', time),
        tokens: objects(line, 'tokens').map((each) => ({
          token: required(each, 'token_id', id),
          balance: required(each, 'balance', integer),
        })),
        isTime: true,
      },
    ],
  };
}
