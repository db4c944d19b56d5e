import { isInteger, parse } from 'lossless-json';
import { parseTimestamp } from '../../../values/consensus-timestamp.ts';
import type { MaybePromise } from '../../../values/map-maybe.ts';
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
import { type ListDefinition, listReader, type PathParameters } from '../../lists/list.ts';
import { type OneDefinition, oneReader } from '../../lists/one.ts';
import type { NetworkService } from '../../network/network-service.ts';
import { type NodeContext, nodeList } from '../../network/node-lists.ts';
import { type NftContext, tokenNftList } from '../../nfts/nft-answers.ts';
import { accountTokenList, holderList, type RelationContext } from '../../relations/relation-lists.ts';
import { oneToken, type TokenContext } from '../../tokens/token-answers.ts';
import { messageList, oneTopic, type TopicContext } from '../../topics/topic-answers.ts';
import { type FindDependencies, findTransaction } from '../../transactions/find-transaction.ts';
import { createTransactionList, type ListDependencies } from '../../transactions/list-transactions.ts';
import type * as documents from './documents.ts';

/** Pages that have nothing of a block and are passed over for one that has; the reader turns the others. */
const MAX_PAGES = 20;

type LedgerContext = AccountContext &
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

/** What the routes of the API are answered with. */
interface LedgerAnswers {
  readonly context: LedgerContext;
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
  const of = <Subject, Values, Conditions, Row, Shown, Head>(
    list: ListDefinition<LedgerContext, Subject, Values, Conditions, Row, Shown, Head>,
  ) => ({ path: list.path, read: listReader(list, context) });
  const ofOne = <Subject, Values, Row>(one: OneDefinition<LedgerContext, Subject, Values, Row>) => ({
    path: one.path,
    read: oneReader(one, context),
  });
  const transactions = all<documents.TransactionsDocument & documents.Links>(
    'transactions',
    async (target) => {
      const { next, page } = await list(target);
      return `{"transactions":[${page.rows}],"links":{"next":${JSON.stringify(next)}}}`;
    },
  );
  return {
    account: declared<documents.AccountDocument>(ofOne(oneAccount)),
    accountTokens: declared<documents.HeldTokensDocument>(of(accountTokenList)),
    block: declared<documents.BlockDocument>(ofOne(oneBlock)),
    blocks: everywhere<documents.BlocksDocument>(of(blockList)),
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
    contract: declared<documents.ContractDocument>(ofOne(oneContract)),
    /** Steps of the execution of a transaction, by its id. */
    contractActions: declared<documents.ContractActionsDocument>(of(actionList)),
    contractLogs: everywhere<documents.ContractLogsDocument>(of(logList)),
    contractResults: everywhere<documents.ContractResultsDocument>(of(resultList)),
    /** Those of one contract, which `decode=true` decodes. */
    resultsOfContract: declared<documents.ContractResultsDocument>(of(contractResultList)),
    exchangeRate: all<documents.RatesDocument>('network/exchangerate', (target) =>
      network.exchangeRate(target),
    ),
    gasPrices: all<documents.GasPricesDocument>('network/fees', (target) => network.gasPrices(target)),
    hbarAllowances: declared<documents.AllowancesDocument>(of(hbarAllowanceList)),
    nftAllowances: declared<documents.AllowancesDocument>(of(approvalList)),
    nfts: declared<documents.NftsDocument>(of(tokenNftList)),
    nodes: everywhere<documents.NodesDocument>(of(nodeList)),
    holders: declared<documents.HoldersDocument>(of(holderList)),
    messages: declared<documents.MessagesDocument>(of(messageList)),
    stake: all<documents.StakeDocument>('network/stake', (target) => network.stake(target)),
    supply: all<documents.SupplyDocument>(
      'network/supply',
      async (target) => (await network.supply(target)).body,
    ),
    token: declared<documents.TokenDocument>(ofOne(oneToken)),
    tokenAllowances: declared<documents.AllowancesDocument>(of(tokenAllowanceList)),
    topic: declared<documents.TopicDocument>(ofOne(oneTopic)),
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

function all<T>(path: string, read: (target: string) => MaybePromise<Printed>): AskList<T> {
  return async (query = '') => {
    const target = `/api/v1/${path}${query}`;
    return { document: documentOf<T>(await read(target)), target };
  };
}

function one<T>(path: string, read: (id: string, target: string) => MaybePromise<Printed>): AskOne<T> {
  return async (id, query = '') => {
    const target = `/api/v1/${path}/${encodeURIComponent(id)}${query}`;
    return { document: documentOf<T>(await read(id, target)), target };
  };
}

interface Declared {
  /** With the place of the id where there is one, such as `/api/v1/topics/:topicId`. */
  readonly path: string;
  readonly read: (params: PathParameters, target: string) => Promise<{ readonly json: string }>;
}

function everywhere<T>({ path, read }: Declared): AskList<T> {
  return all(path.replace('/api/v1/', ''), (target) => read({}, target));
}

/** A question to what a declaration answers about one thing. */
function declared<T>({ path, read }: Declared): AskOne<T> {
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
