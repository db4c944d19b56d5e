import type { EntityAlias, TokenState, TopicState } from '../../ledger/rows.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { createdContract } from './contract-effects.ts';
import type { DecodedItem } from './decoded-item.ts';
import { addressOfKey } from './key-address.ts';
import type { KnownEntities } from './known-entities.ts';
import { accountId, tokenId, topicId } from './ledger-ids.ts';

const NON_FUNGIBLE_UNIQUE = 1;
const EVM_ADDRESS_LENGTH = 20;

/**
 * The account or contract that a successful transaction created, with the addresses that name it.
 *
 * @returns null when it created none.
 * @see contracts/streams.md section 12
 */
export function createdEntity(item: DecodedItem): EntityAlias | null {
  const { type, body, record, consensusTimestamp } = item;
  if (type === TYPE.CRYPTOCREATEACCOUNT) {
    const entity = accountId(record.receipt?.accountID ?? null);
    if (entity === null) return null;
    const alias = bytesOrNull(record.alias) ?? bytesOrNull(body.cryptoCreateAccount?.alias ?? []);
    const evmAddress =
      bytesOrNull(record.evmAddress) ??
      (alias?.length === EVM_ADDRESS_LENGTH ? alias : addressOfAlias(alias));
    return { entity, type: 'ACCOUNT', alias, evmAddress, createdTimestamp: consensusTimestamp };
  }
  const contract = createdContract(item);
  if (contract === null) return null;
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

/** What a successful transaction sets of a token for fee estimates; null when nothing. */
export function tokenState(
  { type, body, record, consensusTimestamp }: DecodedItem,
  known: KnownEntities,
): TokenState | null {
  if (type === TYPE.TOKENCREATION && body.tokenCreation !== null) {
    const token = tokenId(record.receipt?.tokenID ?? null);
    const kind =
      body.tokenCreation.tokenType === NON_FUNGIBLE_UNIQUE ? 'NON_FUNGIBLE_UNIQUE' : 'FUNGIBLE_COMMON';
    if (token === null) return null;
    return { token, kind, customFeeCount: body.tokenCreation.customFees.length, consensusTimestamp };
  }
  if (type === TYPE.TOKENFEESCHEDULEUPDATE && body.tokenFeeScheduleUpdate !== null) {
    const token = tokenId(body.tokenFeeScheduleUpdate.tokenId);
    const kind = token === null ? null : known.tokenKind(token);
    // A token that was created before the import began stays unknown, as in the ledger's other answers.
    if (token === null || kind === null) return null;
    return { token, kind, customFeeCount: body.tokenFeeScheduleUpdate.customFees.length, consensusTimestamp };
  }
  return null;
}

/** What a successful transaction sets of a topic for fee estimates; null when nothing. */
export function topicState({ type, body, record, consensusTimestamp }: DecodedItem): TopicState | null {
  if (type === TYPE.CONSENSUSCREATETOPIC && body.consensusCreateTopic !== null) {
    const topic = topicId(record.receipt?.topicID ?? null);
    const fixedFeeCount = body.consensusCreateTopic.customFees.length;
    return topic === null ? null : { topic, fixedFeeCount, consensusTimestamp };
  }
  if (type === TYPE.CONSENSUSUPDATETOPIC && body.consensusUpdateTopic !== null) {
    const topic = topicId(body.consensusUpdateTopic.topicID);
    const fees = body.consensusUpdateTopic.customFees;
    // An update without the list leaves the fees as they are.
    return topic === null || fees === null
      ? null
      : { topic, fixedFeeCount: fees.fees.length, consensusTimestamp };
  }
  return null;
}

/** Records of versions before EVM addresses name the alias alone. */
function addressOfAlias(alias: Uint8Array | null): Uint8Array | null {
  return alias === null ? null : addressOfKey(alias);
}

function bytesOrNull(bytes: ArrayLike<number>): Uint8Array | null {
  return bytes.length === 0 ? null : Uint8Array.from(bytes);
}
