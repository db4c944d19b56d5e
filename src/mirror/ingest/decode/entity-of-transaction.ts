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

/**
 * The entity that a transaction is about.
 *
 * @returns null for types without one, 0.0.0 and unknown aliases.
 * @see contracts/streams.md section 6, contracts/mirror-transactions.md section 8
 */
export function entityOfTransaction(
  { type, body, record }: DecodedItem,
  resolve: ResolveAlias,
): EntityId | null {
  const { receipt } = record;
  switch (type) {
    case TYPE.CRYPTOCREATEACCOUNT:
      return accountId(receipt?.accountID ?? null, resolve);
    case TYPE.CONTRACTCREATEINSTANCE:
      return contractId(receipt?.contractID ?? null, resolve);
    case TYPE.CONTRACTCALL:
      return (
        contractId(receipt?.contractID ?? null, resolve) ??
        contractId(body.contractCall?.contractID ?? null, resolve)
      );
    case TYPE.CONTRACTDELETEINSTANCE:
      return (
        contractId(receipt?.contractID ?? null, resolve) ??
        contractId(body.contractDeleteInstance?.contractID ?? null, resolve)
      );
    case TYPE.CONTRACTUPDATEINSTANCE:
      return (
        contractId(receipt?.contractID ?? null, resolve) ??
        contractId(body.contractUpdateInstance?.contractID ?? null, resolve)
      );
    case TYPE.ETHEREUMTRANSACTION:
      return contractId((record.contractCreateResult ?? record.contractCallResult)?.contractID ?? null);
    case TYPE.FILECREATE:
      return fileId(receipt?.fileID ?? null);
    case TYPE.TOKENCREATION:
      return tokenId(receipt?.tokenID ?? null);
    case TYPE.CONSENSUSCREATETOPIC:
      return topicId(receipt?.topicID ?? null);
    case TYPE.SCHEDULECREATE:
      return scheduleId(receipt?.scheduleID ?? null);
    case TYPE.FILEAPPEND:
      return fileId(body.fileAppend?.fileID ?? null);
    case TYPE.FILEUPDATE:
      return fileId(body.fileUpdate?.fileID ?? null);
    case TYPE.FILEDELETE:
      return fileId(body.fileDelete?.fileID ?? null);
    case TYPE.FREEZE:
      return fileId(body.freeze?.updateFile ?? null);
    case TYPE.CONSENSUSSUBMITMESSAGE:
      return topicId(body.consensusSubmitMessage?.topicID ?? null);
    case TYPE.CONSENSUSUPDATETOPIC:
      return topicId(body.consensusUpdateTopic?.topicID ?? null);
    case TYPE.CONSENSUSDELETETOPIC:
      return topicId(body.consensusDeleteTopic?.topicID ?? null);
    case TYPE.CRYPTOUPDATEACCOUNT:
      return accountId(body.cryptoUpdateAccount?.accountIDToUpdate ?? null, resolve);
    case TYPE.CRYPTODELETE:
      return accountId(body.cryptoDelete?.deleteAccountID ?? null, resolve);
    case TYPE.CRYPTOADDLIVEHASH:
      return accountId(body.cryptoAddLiveHash?.liveHash?.accountId ?? null, resolve);
    case TYPE.CRYPTODELETELIVEHASH:
      return accountId(body.cryptoDeleteLiveHash?.accountOfLiveHash ?? null, resolve);
    case TYPE.SCHEDULEDELETE:
      return scheduleId(body.scheduleDelete?.scheduleID ?? null);
    case TYPE.SCHEDULESIGN:
      return scheduleId(body.scheduleSign?.scheduleID ?? null);
    case TYPE.SYSTEMDELETE:
      return systemEntity(body.systemDelete, resolve);
    case TYPE.SYSTEMUNDELETE:
      return systemEntity(body.systemUndelete, resolve);
    case TYPE.NODECREATE:
      return accountId(body.nodeCreate?.accountId ?? null, resolve);
    case TYPE.NODEUPDATE:
      return accountId(body.nodeUpdate?.accountId ?? null, resolve);
    case TYPE.TOKENREJECT:
      return (
        accountId(body.tokenReject?.owner ?? null, resolve) ??
        accountId(body.transactionID?.accountID ?? null, resolve)
      );
    default:
      return accountOfToken(type, body, resolve) ?? tokenOfBody(type, body);
  }
}

function systemEntity(body: DecodedItem['body']['systemDelete'], resolve: ResolveAlias): EntityId | null {
  return contractId(body?.contractID ?? null, resolve) ?? fileId(body?.fileID ?? null);
}

/** Types about an account's relation to a token name the account. */
function accountOfToken(type: number, body: DecodedItem['body'], resolve: ResolveAlias): EntityId | null {
  switch (type) {
    case TYPE.TOKENASSOCIATE:
      return accountId(body.tokenAssociate?.account ?? null, resolve);
    case TYPE.TOKENDISSOCIATE:
      return accountId(body.tokenDissociate?.account ?? null, resolve);
    case TYPE.TOKENFREEZE:
      return accountId(body.tokenFreeze?.account ?? null, resolve);
    case TYPE.TOKENUNFREEZE:
      return accountId(body.tokenUnfreeze?.account ?? null, resolve);
    case TYPE.TOKENGRANTKYC:
      return accountId(body.tokenGrantKyc?.account ?? null, resolve);
    case TYPE.TOKENREVOKEKYC:
      return accountId(body.tokenRevokeKyc?.account ?? null, resolve);
    default:
      return null;
  }
}

function tokenOfBody(type: number, body: DecodedItem['body']): EntityId | null {
  switch (type) {
    case TYPE.TOKENBURN:
      return tokenId(body.tokenBurn?.token ?? null);
    case TYPE.TOKENMINT:
      return tokenId(body.tokenMint?.token ?? null);
    case TYPE.TOKENWIPE:
      return tokenId(body.tokenWipe?.token ?? null);
    case TYPE.TOKENPAUSE:
      return tokenId(body.tokenPause?.token ?? null);
    case TYPE.TOKENUNPAUSE:
      return tokenId(body.tokenUnpause?.token ?? null);
    case TYPE.TOKENDELETION:
      return tokenId(body.tokenDeletion?.token ?? null);
    case TYPE.TOKENUPDATE:
      return tokenId(body.tokenUpdate?.token ?? null);
    case TYPE.TOKENUPDATENFTS:
      return tokenId(body.tokenUpdateNfts?.token ?? null);
    case TYPE.TOKENFEESCHEDULEUPDATE:
      return tokenId(body.tokenFeeScheduleUpdate?.tokenId ?? null);
    default:
      return null;
  }
}
