import {
  ACCOUNT,
  MAP_CHANGE,
  STATE,
  STATE_CHANGE,
  STATE_CHANGES,
  TOKEN_RELATION,
} from '../../src/mirror/ingest/block-records/field-numbers.ts';
import { WireWriter } from '../../src/mirror/protobuf/wire-writer.ts';

type MapState = (typeof STATE)[keyof typeof STATE];

/** Serializes `StateChanges`. */
export function stateChanges(consensusBytes: Uint8Array, changes: readonly Uint8Array[]): Uint8Array {
  const writer = new WireWriter().delimited(STATE_CHANGES.consensusTimestamp, consensusBytes);
  for (const change of changes) writer.delimited(STATE_CHANGES.change, change);
  return writer.finish();
}

/** Serializes a `StateChange` that sets a row of a map. */
export function mapUpdate(
  state: MapState,
  key: Uint8Array,
  value: Uint8Array,
  isIdentical = false,
): Uint8Array {
  const writer = new WireWriter();
  const [keyBytes, valueBytes] = [
    writer.delimited(state.key, key).finish(),
    writer.delimited(state.value, value).finish(),
  ];
  const update = writer
    .delimited(MAP_CHANGE.key, keyBytes)
    .delimited(MAP_CHANGE.value, valueBytes)
    .varint(MAP_CHANGE.isIdentical, isIdentical ? 1 : 0)
    .finish();
  return writer.varint(STATE_CHANGE.stateId, state.id).delimited(STATE_CHANGE.mapUpdate, update).finish();
}

/** Serializes a `StateChange` that deletes a row of a map. */
export function mapDelete(state: MapState, key: Uint8Array): Uint8Array {
  const writer = new WireWriter();
  const keyOf = writer.delimited(state.key, key).finish();
  const deletion = writer.delimited(MAP_CHANGE.key, keyOf).finish();
  return writer.varint(STATE_CHANGE.stateId, state.id).delimited(STATE_CHANGE.mapDelete, deletion).finish();
}

/** An account or contract after a group of transactions. */
export interface WrittenAccount {
  /** Serialized `AccountID`. */
  readonly id: Uint8Array;
  readonly balance: bigint;
  readonly alias?: Uint8Array | null;
  readonly isContract?: boolean;
  readonly nonce?: bigint;
}

export function accountChange({ alias, balance, id, isContract, nonce }: WrittenAccount): Uint8Array {
  const account = new WireWriter()
    .delimited(ACCOUNT.id, id)
    .delimited(ACCOUNT.alias, alias ?? null)
    .varint(ACCOUNT.balance, balance)
    .varint(ACCOUNT.isContract, isContract === true ? 1 : 0)
    .varint(ACCOUNT.ethereumNonce, nonce ?? null)
    .finish();
  return mapUpdate(STATE.accounts, id, account);
}

/** A row whose value begins with its id; further members follow. */
export function entityChange(
  state: MapState,
  id: Uint8Array,
  more: (writer: WireWriter) => WireWriter = (writer) => writer,
): Uint8Array {
  return mapUpdate(state, id, more(new WireWriter().delimited(1, id)).finish());
}

/** A node, keyed by its number. */
export function numberedChange(state: MapState, number: bigint): Uint8Array {
  return mapUpdate(state, new WireWriter().varint(1, number).finish(), new Uint8Array());
}

export function tokenRelationChange(account: Uint8Array, token: Uint8Array, balance: bigint): Uint8Array {
  const key = new WireWriter().delimited(1, account).delimited(2, token).finish();
  const relation = new WireWriter()
    .delimited(TOKEN_RELATION.token, token)
    .delimited(TOKEN_RELATION.account, account)
    .varint(TOKEN_RELATION.balance, balance)
    .finish();
  return mapUpdate(STATE.tokenRelations, key, relation);
}

/** An account gave a token up. */
export function tokenRelationEnd(account: Uint8Array, token: Uint8Array): Uint8Array {
  return mapDelete(STATE.tokenRelations, new WireWriter().delimited(1, account).delimited(2, token).finish());
}
