import { ECDH } from 'node:crypto';
import { keccak256 } from '../../../values/keccak256.ts';
import type { ContractToldBy } from '../../items/created-contract.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { accountId, scheduleId, tokenId, topicId } from '../../items/ledger-ids.ts';
import type { EntityAlias } from '../../ledger/rows.ts';
import { rawField } from '../../protobuf/wire.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';

const EVM_ADDRESS_LENGTH = 20;
const CREATED_KIND: ReadonlyMap<number, 'SCHEDULE' | 'TOKEN' | 'TOPIC'> = new Map([
  [TYPE.TOKENCREATION, 'TOKEN'],
  [TYPE.CONSENSUSCREATETOPIC, 'TOPIC'],
  [TYPE.SCHEDULECREATE, 'SCHEDULE'],
]);

/**
 * The entity that a successful transaction created, with the addresses that name it.
 *
 * @param contractToldBy which record of the unit stands for the creation of a contract
 * @returns null when it created none.
 * @see contracts/streams.md section 12
 */
export function createdEntity(item: DecodedItem, contractToldBy: ContractToldBy): EntityAlias | null {
  const { type, body, record, consensusTimestamp } = item;
  if (type === TYPE.CRYPTOCREATEACCOUNT) {
    const entity = accountId(record.receipt?.accountID);
    if (entity === null) return null;
    const alias = bytesOrNull(record.alias) ?? bytesOrNull(body.cryptoCreateAccount?.alias ?? []);
    const evmAddress =
      bytesOrNull(record.evmAddress) ??
      (alias?.length === EVM_ADDRESS_LENGTH ? alias : addressOfAlias(alias));
    return { entity, type: 'ACCOUNT', alias, evmAddress, createdTimestamp: consensusTimestamp };
  }
  const contract = contractToldBy(item);
  if (contract === null) return createdByService(item);
  const evmAddress =
    bytesOrNull(record.contractCreateResult?.evmAddress?.value ?? []) ?? bytesOrNull(record.evmAddress);
  return {
    entity: contract,
    type: 'CONTRACT',
    alias: null,
    evmAddress,
    createdTimestamp: consensusTimestamp,
  };
}

function createdByService({ type, record, consensusTimestamp }: DecodedItem): EntityAlias | null {
  const kind = CREATED_KIND.get(type);
  const { receipt } = record;
  if (kind === undefined || receipt === null) return null;
  const ids = {
    TOKEN: tokenId(receipt.tokenID),
    TOPIC: topicId(receipt.topicID),
    SCHEDULE: scheduleId(receipt.scheduleID),
  };
  const entity = ids[kind];
  if (entity === null) return null;
  return { entity, type: kind, alias: null, evmAddress: null, createdTimestamp: consensusTimestamp };
}

/** Records of versions before EVM addresses name the alias alone. */
function addressOfAlias(alias: Uint8Array | null): Uint8Array | null {
  return alias === null ? null : addressOfKey(alias);
}

function bytesOrNull(bytes: ArrayLike<number>): Uint8Array | null {
  return bytes.length === 0 ? null : Uint8Array.from(bytes);
}

const ECDSA_FIELD = 7;
const COMPRESSED_LENGTH = 33;
const ADDRESS_LENGTH = 20;

/**
 * The EVM address of a serialized ECDSA key, which an account has whose alias is that key.
 *
 * @returns null for keys of other kinds, for bytes that are no key, and for a point that is not on the curve.
 */
export function addressOfKey(key: Uint8Array): Uint8Array | null {
  try {
    const point = rawField(key, ECDSA_FIELD);
    if (point?.length !== COMPRESSED_LENGTH) return null;
    const [, ...coordinates] = ECDH.convertKey(
      point,
      'secp256k1',
      undefined,
      undefined,
      'uncompressed',
    ) as Buffer;
    return keccak256(Uint8Array.from(coordinates)).slice(-ADDRESS_LENGTH);
  } catch {
    return null;
  }
}
