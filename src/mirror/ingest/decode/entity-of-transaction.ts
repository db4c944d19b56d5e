import type { EntityId } from '../../../values/entity-id.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import {
  accountId,
  contractId,
  fileId,
  type ResolveAlias,
  scheduleId,
  tokenId,
  topicId,
} from '../../items/ledger-ids.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';

type FindEntity = (item: DecodedItem, resolve: ResolveAlias) => EntityId | null;

/** The first of the ids that one of the parts of an item names. */
const named =
  <Id>(read: (id: Id | null | undefined, resolve: ResolveAlias) => EntityId | null) =>
  (...finds: readonly ((item: DecodedItem) => Id | null | undefined)[]): FindEntity =>
  (item, resolve) => {
    for (const find of finds) {
      const entity = read(find(item), resolve);
      if (entity !== null) return entity;
    }
    return null;
  };
const [account, contract, file] = [named(accountId), named(contractId), named(fileId)];
const [schedule, token, topic] = [named(scheduleId), named(tokenId), named(topicId)];

/** Most are created with their receipt, and named by the body afterwards; types about an account's relation to a token name the account. */
const ENTITY_OF: ReadonlyMap<number, FindEntity> = new Map<number, FindEntity>([
  [TYPE.CRYPTOCREATEACCOUNT, account(({ record }) => record.receipt?.accountID)],
  [TYPE.CRYPTOUPDATEACCOUNT, account(({ body }) => body.cryptoUpdateAccount?.accountIDToUpdate)],
  [TYPE.CRYPTODELETE, account(({ body }) => body.cryptoDelete?.deleteAccountID)],
  [TYPE.CRYPTOADDLIVEHASH, account(({ body }) => body.cryptoAddLiveHash?.liveHash?.accountId)],
  [TYPE.CRYPTODELETELIVEHASH, account(({ body }) => body.cryptoDeleteLiveHash?.accountOfLiveHash)],
  [TYPE.NODECREATE, account(({ body }) => body.nodeCreate?.accountId)],
  [TYPE.NODEUPDATE, account(({ body }) => body.nodeUpdate?.accountId)],
  [TYPE.CONTRACTCREATEINSTANCE, contract(inReceipt)],
  [TYPE.CONTRACTCALL, contract(inReceipt, ({ body }) => body.contractCall?.contractID)],
  [TYPE.CONTRACTDELETEINSTANCE, contract(inReceipt, ({ body }) => body.contractDeleteInstance?.contractID)],
  [TYPE.CONTRACTUPDATEINSTANCE, contract(inReceipt, ({ body }) => body.contractUpdateInstance?.contractID)],
  [
    TYPE.ETHEREUMTRANSACTION,
    ({ record }) => contractId((record.contractCreateResult ?? record.contractCallResult)?.contractID),
  ],
  [TYPE.FILECREATE, file(({ record }) => record.receipt?.fileID)],
  [TYPE.FILEAPPEND, file(({ body }) => body.fileAppend?.fileID)],
  [TYPE.FILEUPDATE, file(({ body }) => body.fileUpdate?.fileID)],
  [TYPE.FILEDELETE, file(({ body }) => body.fileDelete?.fileID)],
  [TYPE.FREEZE, file(({ body }) => body.freeze?.updateFile)],
  [TYPE.SYSTEMDELETE, ({ body }, resolve) => systemEntity(body.systemDelete, resolve)],
  [TYPE.SYSTEMUNDELETE, ({ body }, resolve) => systemEntity(body.systemUndelete, resolve)],
  [TYPE.CONSENSUSCREATETOPIC, topic(({ record }) => record.receipt?.topicID)],
  [TYPE.CONSENSUSSUBMITMESSAGE, topic(({ body }) => body.consensusSubmitMessage?.topicID)],
  [TYPE.CONSENSUSUPDATETOPIC, topic(({ body }) => body.consensusUpdateTopic?.topicID)],
  [TYPE.CONSENSUSDELETETOPIC, topic(({ body }) => body.consensusDeleteTopic?.topicID)],
  [TYPE.SCHEDULECREATE, schedule(({ record }) => record.receipt?.scheduleID)],
  [TYPE.SCHEDULEDELETE, schedule(({ body }) => body.scheduleDelete?.scheduleID)],
  [TYPE.SCHEDULESIGN, schedule(({ body }) => body.scheduleSign?.scheduleID)],
  [TYPE.TOKENCREATION, token(({ record }) => record.receipt?.tokenID)],
  [TYPE.TOKENBURN, token(({ body }) => body.tokenBurn?.token)],
  [TYPE.TOKENMINT, token(({ body }) => body.tokenMint?.token)],
  [TYPE.TOKENWIPE, token(({ body }) => body.tokenWipe?.token)],
  [TYPE.TOKENPAUSE, token(({ body }) => body.tokenPause?.token)],
  [TYPE.TOKENUNPAUSE, token(({ body }) => body.tokenUnpause?.token)],
  [TYPE.TOKENDELETION, token(({ body }) => body.tokenDeletion?.token)],
  [TYPE.TOKENUPDATE, token(({ body }) => body.tokenUpdate?.token)],
  [TYPE.TOKENUPDATENFTS, token(({ body }) => body.tokenUpdateNfts?.token)],
  [TYPE.TOKENFEESCHEDULEUPDATE, token(({ body }) => body.tokenFeeScheduleUpdate?.tokenId)],
  [TYPE.TOKENASSOCIATE, account(({ body }) => body.tokenAssociate?.account)],
  [TYPE.TOKENDISSOCIATE, account(({ body }) => body.tokenDissociate?.account)],
  [TYPE.TOKENFREEZE, account(({ body }) => body.tokenFreeze?.account)],
  [TYPE.TOKENUNFREEZE, account(({ body }) => body.tokenUnfreeze?.account)],
  [TYPE.TOKENGRANTKYC, account(({ body }) => body.tokenGrantKyc?.account)],
  [TYPE.TOKENREVOKEKYC, account(({ body }) => body.tokenRevokeKyc?.account)],
  [
    TYPE.TOKENREJECT,
    account(
      ({ body }) => body.tokenReject?.owner,
      ({ body }) => body.transactionID?.accountID,
    ),
  ],
]);

/**
 * The entity that a transaction is about.
 *
 * @returns null for types without one, 0.0.0 and unknown aliases.
 * @see contracts/streams.md section 6, contracts/mirror-transactions.md section 8
 */
export function entityOfTransaction(item: DecodedItem, resolve: ResolveAlias): EntityId | null {
  return ENTITY_OF.get(item.type)?.(item, resolve) ?? null;
}

function inReceipt({ record }: DecodedItem) {
  return record.receipt?.contractID;
}

function systemEntity(body: DecodedItem['body']['systemDelete'], resolve: ResolveAlias): EntityId | null {
  return contractId(body?.contractID, resolve) ?? fileId(body?.fileID);
}
