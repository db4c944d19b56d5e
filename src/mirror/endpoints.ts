import type { FastifyPluginAsync } from 'fastify';
import { type AccountContext, accountList, oneAccount } from './accounts/account-answers.ts';
import { type AirdropContext, outstandingAirdropList, pendingAirdropList } from './airdrops/airdrop-lists.ts';
import {
  type AllowanceContext,
  approvalList,
  hbarAllowanceList,
  tokenAllowanceList,
} from './allowances/allowance-lists.ts';
import { type BalanceContext, balanceList } from './balances/balance-list.ts';
import { type BlockContext, blockList, oneBlock } from './blocks/block-answers.ts';
import { type ActionContext, actionList } from './contracts/actions/action-list.ts';
import { type ContractContext, contractList, oneContract } from './contracts/contract-answers.ts';
import { contractLogList, type LogContext, logList } from './contracts/logs/log-lists.ts';
import { type ResultContext, resultAtTime, resultOfTransaction } from './contracts/results/find-result.ts';
import { contractResultList, resultList } from './contracts/results/result-lists.ts';
import { type ContractStateContext, contractStateList } from './contracts/state/contract-state-list.ts';
import { refuseCalls } from './contracts/without-evm.ts';
import { notFoundError } from './errors.ts';
import { type HookContext, hookList, hookStorageList } from './hooks/hook-lists.ts';
import { serveList } from './lists/list.ts';
import { serveOne } from './lists/one.ts';
import type { NodeContext } from './network/node-lists.ts';
import {
  accountNftList,
  type NftContext,
  nftTransactionList,
  oneNft,
  tokenNftList,
} from './nfts/nft-answers.ts';
import { accountTokenList, holderList, type RelationContext } from './relations/relation-lists.ts';
import { type RewardContext, rewardList } from './rewards/reward-list.ts';
import { oneSchedule, type ScheduleContext, scheduleList } from './schedules/schedule-answers.ts';
import { oneToken, type TokenContext, tokenList } from './tokens/token-answers.ts';
import {
  messageAtTime,
  messageByNumber,
  messageList,
  oneTopic,
  type TopicContext,
} from './topics/topic-answers.ts';

/** What the lists and answers are made from. */
export type EndpointContext = AccountContext &
  NodeContext &
  ActionContext &
  AirdropContext &
  AllowanceContext &
  BalanceContext &
  BlockContext &
  ContractContext &
  ContractStateContext &
  HookContext &
  LogContext &
  NftContext &
  RelationContext &
  ResultContext &
  RewardContext &
  ScheduleContext &
  TokenContext &
  TopicContext;

/** Everything that a declaration serves, in the order of the API documents. */
export function declaredEndpoints(context: EndpointContext): FastifyPluginAsync {
  return async (app) => {
    serveList(app, accountList, context);
    serveOne(app, oneAccount, context);
    serveList(app, hbarAllowanceList, context);
    serveList(app, tokenAllowanceList, context);
    serveList(app, approvalList, context);
    serveList(app, outstandingAirdropList, context);
    serveList(app, pendingAirdropList, context);
    serveList(app, rewardList, context);
    serveList(app, balanceList, context);
    serveList(app, accountNftList, context);
    serveList(app, tokenNftList, context);
    serveOne(app, oneNft, context);
    serveList(app, nftTransactionList, context);
    serveList(app, accountTokenList, context);
    serveList(app, holderList, context);
    serveList(app, blockList, context);
    serveOne(app, oneBlock, context);
    serveList(app, hookList, context);
    serveList(app, hookStorageList, context);
    serveList(app, scheduleList, context);
    serveOne(app, oneSchedule, context);
    serveOne(app, oneTopic, context);
    serveList(app, messageList, context);
    serveOne(app, messageByNumber, context);
    // Explorers ask so before they know a time; "messages" is no topic.
    app.get('/api/v1/topics/messages', { schema: { hide: true } }, () => Promise.reject(notFoundError()));
    serveOne(app, messageAtTime, context);
    serveList(app, tokenList, context);
    serveOne(app, oneToken, context);
    serveList(app, contractList, context);
    serveList(app, resultList, context);
    serveList(app, logList, context);
    serveOne(app, resultOfTransaction, context);
    serveList(app, actionList, context);
    refuseCalls(app);
    serveOne(app, oneContract, context);
    serveList(app, contractResultList, context);
    serveList(app, contractLogList, context);
    serveOne(app, resultAtTime, context);
    serveList(app, contractStateList, context);
  };
}
