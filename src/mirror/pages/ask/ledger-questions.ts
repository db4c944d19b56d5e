import { isInteger, parse } from 'lossless-json';
import type { Awaitable } from '../../../values/and-then.ts';
import { parseTimestamp } from '../../../values/consensus-timestamp.ts';
import { type AccountContext, oneAccount } from '../../accounts/account-answers.ts';
import {
  type AllowanceContext,
  approvalList,
  hbarAllowanceList,
  tokenAllowanceList,
} from '../../allowances/allowance-lists.ts';
import { type BlockContext, blockList, oneBlock } from '../../blocks/block-answers.ts';
import { type ActionContext, actionList } from '../../contracts/actions/action-list.ts';
import { type ContractContext, oneContract } from '../../contracts/contract-answers.ts';
import { type LogContext, logList } from '../../contracts/logs/log-lists.ts';
import {
  contractResultList,
  type ResultListContext,
  resultList,
} from '../../contracts/results/result-lists.ts';
import { MirrorApiError } from '../../errors.ts';
import { listReader } from '../../lists/list.ts';
import { oneReader } from '../../lists/one.ts';
import type { PathParameters } from '../../lists/paths.ts';
import type { NetworkService } from '../../network/network-service.ts';
import { type NodeContext, nodeList } from '../../network/node-lists.ts';
import { type NftContext, tokenNftList } from '../../nfts/nft-answers.ts';
import { accountTokenList, holderList, type RelationContext } from '../../relations/relation-lists.ts';
import { oneToken } from '../../tokens/one-token.ts';
import type { TokenContext } from '../../tokens/token-list.ts';
import { messageList, oneTopic, type TopicContext } from '../../topics/topic-answers.ts';
import { type FindDependencies, findTransaction } from '../../transactions/find-transaction.ts';
import { createTransactionList, type ListDependencies } from '../../transactions/list-transactions.ts';
import type * as documents from './documents.ts';

/** Pages that have nothing of a block and are passed over for one that has; the reader turns the others. */
const MAX_PAGES = 20;

/** What the routes of the API are answered with. */
interface LedgerAnswers {
  readonly context: AccountContext &
    ActionContext &
    AllowanceContext &
    BlockContext &
    ContractContext &
    LogContext &
    NftContext &
    NodeContext &
    RelationContext &
    ResultListContext &
    TokenContext &
    TopicContext;
  readonly list: ListDependencies;
  readonly network: NetworkService;
  readonly transaction: FindDependencies;
}

/** An answer of the API, and the request that gives it. */
export interface Answer<T> {
  readonly document: T;
  /** Path and query, such as `/api/v1/transactions?limit=25`. */
  readonly target: string;
}

type Asked<T> = Promise<Answer<T>>;
type AskOne<T> = (id: string, query?: string) => Asked<T>;
type AskList<T> = (query?: string) => Asked<T>;

/**
 * Questions to the API without HTTP: each is answered by what answers its route, and throws what the route would answer.
 *
 * Queries begin with `?` or are empty.
 */
export type LedgerQuestions = ReturnType<typeof createLedgerQuestions>;

export function createLedgerQuestions(answers: LedgerAnswers) {
  const list = createTransactionList(answers.list);
  const { context, network } = answers;
  const readBlocks = listReader(blockList, context);
  const readNodes = listReader(nodeList, context);
  const readLogs = listReader(logList, context);
  const readResults = listReader(resultList, context);
  const transactions = all<documents.TransactionsDocument & documents.Links>(
    'transactions',
    async (target) => {
      const { next, page } = await list(target);
      return `{"transactions":[${page.rows}],"links":{"next":${JSON.stringify(next)}}}`;
    },
  );
  return {
    account: declared<documents.AccountDocument>(oneAccount.path, oneReader(oneAccount, context)),
    accountTokens: declared<documents.HeldTokensDocument>(
      accountTokenList.path,
      listReader(accountTokenList, context),
    ),
    block: declared<documents.BlockDocument>(oneBlock.path, oneReader(oneBlock, context)),
    blocks: all<documents.BlocksDocument>('blocks', (target) => readBlocks({}, target)),
    /** Those transactions of a list that a block has: between its times there may be others. */
    async blockTransactions(
      number: bigint,
      query: string,
    ): Asked<documents.TransactionsDocument & documents.Links> {
      for (let [asked, pages] = [query, 1]; ; pages++) {
        const { document, target } = await transactions(asked);
        const timeOf = (row: documents.TransactionDocument) => parseTimestamp(row.consensus_timestamp) ?? 0n;
        const holding = await context.blocks.holding(document.transactions.map(timeOf));
        const own = document.transactions.filter((row) => holding.get(timeOf(row))?.number === number);
        const { next } = document.links;
        if (own.length > 0 || next === null || pages === MAX_PAGES) {
          return { document: { ...document, transactions: own }, target };
        }
        asked = next.slice(next.indexOf('?'));
      }
    },
    contract: declared<documents.ContractDocument>(oneContract.path, oneReader(oneContract, context)),
    /** Steps of the execution of a transaction, by its id. */
    contractActions: declared<documents.ContractActionsDocument>(
      actionList.path,
      listReader(actionList, context),
    ),
    contractLogs: all<documents.ContractLogsDocument>('contracts/results/logs', (target) =>
      readLogs({}, target),
    ),
    contractResults: all<documents.ContractResultsDocument>('contracts/results', (target) =>
      readResults({}, target),
    ),
    /** Those of one contract, which `decode=true` decodes. */
    resultsOfContract: declared<documents.ContractResultsDocument>(
      contractResultList.path,
      listReader(contractResultList, context),
    ),
    exchangeRate: all<documents.RatesDocument>('network/exchangerate', (target) =>
      network.exchangeRate(target),
    ),
    gasPrices: all<documents.GasPricesDocument>('network/fees', (target) => network.gasPrices(target)),
    hbarAllowances: declared<documents.AllowancesDocument>(
      hbarAllowanceList.path,
      listReader(hbarAllowanceList, context),
    ),
    nftAllowances: declared<documents.AllowancesDocument>(
      approvalList.path,
      listReader(approvalList, context),
    ),
    nfts: declared<documents.NftsDocument>(tokenNftList.path, listReader(tokenNftList, context)),
    nodes: all<documents.NodesDocument>('network/nodes', (target) => readNodes({}, target)),
    holders: declared<documents.HoldersDocument>(holderList.path, listReader(holderList, context)),
    messages: declared<documents.MessagesDocument>(messageList.path, listReader(messageList, context)),
    stake: all<documents.StakeDocument>('network/stake', (target) => network.stake(target)),
    supply: all<documents.SupplyDocument>(
      'network/supply',
      async (target) => (await network.supply(target)).body,
    ),
    token: declared<documents.TokenDocument>(oneToken.path, oneReader(oneToken, context)),
    tokenAllowances: declared<documents.AllowancesDocument>(
      tokenAllowanceList.path,
      listReader(tokenAllowanceList, context),
    ),
    topic: declared<documents.TopicDocument>(oneTopic.path, oneReader(oneTopic, context)),
    transaction: one<documents.TransactionsDocument>('transactions', (id, target) =>
      findTransaction(id, target, answers.transaction),
    ),
    transactions,
  };
}

/** What an answer that is not there stands for. @throws whatever else went wrong. */
export async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof MirrorApiError && error.statusCode === 404) return null;
    throw error;
  }
}

type Printed = string | { readonly json: string };

function all<T>(path: string, read: (target: string) => Awaitable<Printed>): AskList<T> {
  return async (query = '') => {
    const target = `/api/v1/${path}${query}`;
    return { document: documentOf<T>(await read(target)), target };
  };
}

function one<T>(path: string, read: (id: string, target: string) => Awaitable<Printed>): AskOne<T> {
  return async (id, query = '') => {
    const target = `/api/v1/${path}/${encodeURIComponent(id)}${query}`;
    return { document: documentOf<T>(await read(id, target)), target };
  };
}

/** A question to what a declaration answers. @param path with the place of the id, such as `/api/v1/topics/:topicId` */
function declared<T>(
  path: string,
  read: (params: PathParameters, target: string) => Promise<{ readonly json: string }>,
): AskOne<T> {
  const [place = '', name = ''] = /:(\w+)/.exec(path) ?? [];
  return async (id, query = '') => {
    const target = path.replace(place, () => encodeURIComponent(id)) + query;
    return { document: documentOf<T>(await read({ [name]: id }, target)), target };
  };
}

/** Parses an answer of the API, with bigint for every integer. */
function documentOf<T>(printed: Printed): T {
  const json = typeof printed === 'string' ? printed : printed.json;
  return parse(json, null, (text) => (isInteger(text) ? BigInt(text) : Number(text))) as T;
}
