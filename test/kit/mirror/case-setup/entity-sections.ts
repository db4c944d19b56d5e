import type { EntityRow } from '../../../../src/mirror/ledger/facets/stated-entities.ts';
import type { FixtureRows } from '../../../../src/mirror/ledger/fixture-unit.ts';
import type { EntityAlias, EntityType } from '../../../../src/mirror/ledger/rows.ts';
import { parseBase32 } from '../../../../src/values/base32.ts';
import { NANOS_PER_SECOND } from '../../../../src/values/consensus-timestamp.ts';
import { type EntityId, encodeEntityId } from '../../../../src/values/entity-id.ts';
import {
  bytesOf,
  type CaseRow,
  type CaseSetup,
  id,
  idOrNull,
  integer,
  integerOrNull,
  section,
  text,
  timeOrNull,
  timeRange,
} from './case-row.ts';

/** What the three sections leave out differs. */
interface Defaults {
  readonly type: string;
  readonly publicKey: string | null;
  readonly maxAutomaticAssociations: bigint | null;
  readonly memo: string;
  readonly isReceiverSigRequired: boolean | null;
}

const SECTIONS: { readonly [Name in string]: Defaults } = {
  accounts: {
    type: 'ACCOUNT',
    publicKey: '4a5ad514f0957fa170a676210c9bdbddf3bc9519702cf915fa6767a40463b96f',
    maxAutomaticAssociations: 0n,
    memo: 'entity memo',
    isReceiverSigRequired: false,
  },
  entities: {
    type: 'ACCOUNT',
    publicKey: null,
    maxAutomaticAssociations: null,
    memo: 'entity memo',
    isReceiverSigRequired: false,
  },
  contracts: {
    type: 'CONTRACT',
    publicKey: null,
    maxAutomaticAssociations: 0n,
    memo: 'contract memo',
    isReceiverSigRequired: null,
  },
};
const NONE = -1n;
const DAY_NANOS = 86_400n * NANOS_PER_SECOND;

/** Sections `accounts`, `entities` and `contracts`; a row whose range has an end is history. */
export function entitySections(setup: CaseSetup): FixtureRows {
  const entities: EntityAlias[] = [];
  const entityRows: EntityRow[] = [];
  for (const [name, defaults] of Object.entries(SECTIONS)) {
    for (const row of section(setup, name)) {
      const type = text(row, 'type', defaults.type);
      // Nothing shows files.
      if (type === 'FILE') continue;
      const stated = entityRow(row, defaults);
      entityRows.push(stated);
      if (stated.upper === null) entities.push(entityAlias(row, type as EntityType));
    }
  }
  return { entities, entityRows };
}

function entityAlias(row: CaseRow, type: EntityType): EntityAlias {
  const alias = text(row, 'alias', null);
  return {
    entity: idOf(row),
    type,
    alias: alias === null ? null : parseBase32(alias),
    evmAddress: bytesOrNull(row, 'evm_address'),
    createdTimestamp: timeOrNull(row, 'created_timestamp'),
  };
}

function entityRow(row: CaseRow, defaults: Defaults): EntityRow {
  const { lower, upper } = timeRange(row, 0n);
  const stakedNode = integerOrNull(row, 'staked_node_id', NONE);
  const stakedDay = integerOrNull(row, 'stake_period_start', NONE);
  return {
    entity: idOf(row),
    lower,
    upper,
    publicKey: keyBytes(text(row, 'public_key', defaults.publicKey)),
    balance: integerOrNull(row, 'balance', null),
    balanceTimestamp: integerOrNull(row, 'balance_timestamp', null),
    settings: {
      key: bytesOrNull(row, 'key'),
      memo: text(row, 'memo', defaults.memo),
      autoRenewPeriod: integerOrNull(row, 'auto_renew_period', null),
      autoRenewAccount: idOrNull(row, 'auto_renew_account_id'),
      expiryTimestamp: integerOrNull(row, 'expiration_timestamp', null),
      isDeleted: flag(row, 'deleted', false),
      isReceiverSigRequired: flag(row, 'receiver_sig_required', defaults.isReceiverSigRequired),
      maxAutomaticAssociations: integerOrNull(
        row,
        'max_automatic_token_associations',
        defaults.maxAutomaticAssociations,
      ),
      declinesReward: flag(row, 'decline_reward', false),
      stakedAccount: idOrNull(row, 'staked_account_id'),
      stakedNode: stakedNode === NONE ? null : stakedNode,
      stakePeriodStart: stakedDay === null || stakedDay === NONE ? null : stakedDay * DAY_NANOS,
      ethereumNonce: integerOrNull(row, 'ethereum_nonce', null),
      proxyAccount: idOrNull(row, 'proxy_account_id'),
      obtainer: idOrNull(row, 'obtainer_id'),
      isPermanentRemoval: flag(row, 'permanent_removal', null),
      delegationAddress: bytesOrNull(row, 'delegation_address'),
    },
  };
}

function idOf(row: CaseRow): EntityId {
  if (row['num'] === undefined) return id(row, 'id');
  const [shard, realm, num] = [integer(row, 'shard', 0n), integer(row, 'realm', 0n), integer(row, 'num')];
  const encoded = encodeEntityId(shard, realm, num);
  if (encoded === null) throw new Error(`A case row has the number ${num}`);
  return encoded;
}

function bytesOrNull(row: CaseRow, name: string): Uint8Array | null {
  const value = text(row, name, null);
  return value === null ? null : bytesOf(value);
}

function keyBytes(hex: string | null): Uint8Array | null {
  return hex === null ? null : Buffer.from(hex, 'hex');
}

function flag(row: CaseRow, name: string, absent: boolean | null): bigint | null {
  const value = row[name] === undefined ? absent : row[name];
  return value === null ? null : value === true ? 1n : 0n;
}
