import { fixtureUnit } from '../../../src/mirror/ledger/fixture-unit.ts';
import { consensusTimestamp } from '../../../src/values/consensus-timestamp.ts';
import { entityId } from '../../../src/values/entity-id.ts';
import { START } from './explorer-ledger.ts';

export const ED = '519a008fabde4d28d68293c71fcdcdcca38d8fae6102a832b31e802f257fd1d9';
export const DER = `302a300506032b6570032100${ED}`;
export const EC = `02${'5b'.repeat(32)}`;
export const OTHER = '6ceecd8bb224da4914d53f292e5624f6f4cf8c134c920e1cac8d06f879df5819';

/** Serialized keys by account, each with what it is searched by. */
export const KEYS: readonly (readonly [account: bigint, key: string, publicKey: string | null])[] = [
  [7n, `1220${OTHER}`, OTHER],
  [8n, `1220${ED}`, ED],
  [9n, `32240a221220${ED}`, ED],
  [10n, `2a28080112240a221220${ED}`, ED],
  [11n, `3a21${EC}`, EC],
  [12n, `32250a233a21${EC}`, EC],
  [13n, `2a29080112250a233a21${EC}`, EC],
  // Two members, a contract, none at all.
  [14n, `32480a221220${ED}0a221220${OTHER}`, null],
  [15n, '0a0218ea07', null],
  [16n, '3200', null],
];

const at = consensusTimestamp(START);

/** Each account has as many tinybars as its number; the time is that of the first snapshot, too. */
export function ledgerOf(keys: readonly (readonly [account: bigint, key: string, unknown?])[]) {
  return fixtureUnit('keys', {
    balances: keys.map(([num]) => ({ account: entityId(num), balance: num, timestamp: at })),
    entityChanges: keys.map(([num, key]) => ({
      entity: entityId(num),
      type: num === 10n ? ('CONTRACT' as const) : ('ACCOUNT' as const),
      changedTimestamp: at,
      key: Buffer.from(key, 'hex'),
    })),
  });
}
