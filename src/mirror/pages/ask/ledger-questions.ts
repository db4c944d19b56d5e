import { isInteger, parse } from 'lossless-json';
import type { Awaitable } from '../../../values/and-then.ts';
import { parseTimestamp } from '../../../values/consensus-timestamp.ts';
import { type FindAccountDependencies, findAccount } from '../../accounts/find-account.ts';
import type { ListAllowancesDependencies } from '../../allowances/list-allowances.ts';
import { listApprovals } from '../../allowances/list-approvals.ts';
import { listHbarAllowances } from '../../allowances/list-hbar-allowances.ts';
import { listTokenAllowances } from '../../allowances/list-token-allowances.ts';
import { findBlock } from '../../blocks/find-block.ts';
import { type ListBlocksDependencies, listBlocks } from '../../blocks/list-blocks.ts';
import { listActions } from '../../contracts/actions/list-actions.ts';
import { findContract } from '../../contracts/find-contract.ts';
import { listLogs } from '../../contracts/logs/list-logs.ts';
import { listContractResults, listResults } from '../../contracts/results/list-results.ts';
import type { ContractDependencies } from '../../contracts/routes.ts';
import { MirrorApiError } from '../../errors.ts';
import { type ListNodesDependencies, listNodes } from '../../network/list-nodes.ts';
import type { NetworkService } from '../../network/network-service.ts';
import { listTokenNfts, type NftListDependencies } from '../../nfts/list-token-nfts.ts';
import { type AccountTokensDependencies, listAccountTokens } from '../../relations/list-account-tokens.ts';
import { listTokenBalances, type TokenBalancesDependencies } from '../../relations/list-token-balances.ts';
import { type FindTokenDependencies, findToken } from '../../tokens/find-token.ts';
import { type FindTopicDependencies, findTopic } from '../../topics/find-topic.ts';
import { listTopicMessages, type TopicMessageDependencies } from '../../topics/list-topic-messages.ts';
import { type FindDependencies, findTransaction } from '../../transactions/find-transaction.ts';
import { createTransactionList, type ListDependencies } from '../../transactions/list-transactions.ts';
import type * as documents from './documents.ts';

/** Pages that have nothing of a block and are passed over for one that has; the reader turns the others. */
const MAX_PAGES = 20;

/** What the routes of the API are answered with. */
interface LedgerAnswers {
  readonly account: FindAccountDependencies;
  readonly allowances: ListAllowancesDependencies;
  readonly blocks: ListBlocksDependencies;
  readonly contracts: Pick<ContractDependencies, 'actions' | 'logs' | 'one' | 'results'>;
  readonly list: ListDependencies;
  readonly network: NetworkService;
  readonly nfts: NftListDependencies;
  readonly nodes: ListNodesDependencies;
  readonly relations: AccountTokensDependencies & TokenBalancesDependencies;
  readonly tokens: FindTokenDependencies;
  readonly topics: FindTopicDependencies & TopicMessageDependencies;
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
export interface LedgerQuestions {
  readonly account: AskOne<documents.AccountDocument>;
  readonly accountTokens: AskOne<documents.HeldTokensDocument>;
  readonly block: AskOne<documents.BlockDocument>;
  readonly blocks: AskList<documents.BlocksDocument>;
  /** Those transactions of a list that a block has: between its times there may be others. */
  blockTransactions(number: bigint, query: string): Asked<documents.TransactionsDocument & documents.Links>;
  readonly contract: AskOne<documents.ContractDocument>;
  /** Steps of the execution of a transaction, by its id. */
  readonly contractActions: AskOne<documents.ContractActionsDocument>;
  readonly contractLogs: AskList<documents.ContractLogsDocument>;
  readonly contractResults: AskList<documents.ContractResultsDocument>;
  /** Those of one contract, which `decode=true` decodes. */
  readonly resultsOfContract: AskOne<documents.ContractResultsDocument>;
  readonly exchangeRate: AskList<documents.RatesDocument>;
  readonly gasPrices: AskList<documents.GasPricesDocument>;
  readonly hbarAllowances: AskOne<documents.AllowancesDocument>;
  readonly nftAllowances: AskOne<documents.AllowancesDocument>;
  readonly nfts: AskOne<documents.NftsDocument>;
  readonly nodes: AskList<documents.NodesDocument>;
  readonly holders: AskOne<documents.HoldersDocument>;
  readonly messages: AskOne<documents.MessagesDocument>;
  readonly stake: AskList<documents.StakeDocument>;
  readonly supply: AskList<documents.SupplyDocument>;
  readonly token: AskOne<documents.TokenDocument>;
  readonly tokenAllowances: AskOne<documents.AllowancesDocument>;
  readonly topic: AskOne<documents.TopicDocument>;
  readonly transaction: AskOne<documents.TransactionsDocument>;
  readonly transactions: AskList<documents.TransactionsDocument & documents.Links>;
}

export function createLedgerQuestions(answers: LedgerAnswers): LedgerQuestions {
  const list = createTransactionList(answers.list);
  const { allowances, blocks, contracts, network, relations, topics } = answers;
  const transactions: LedgerQuestions['transactions'] = all('transactions', async (target) => {
    const { next, page } = await list(target);
    return `{"transactions":[${page.rows}],"links":{"next":${JSON.stringify(next)}}}`;
  });
  return {
    account: one('accounts', (id, target) => findAccount(id, target, answers.account)),
    accountTokens: one('accounts', (id, target) => listAccountTokens(id, target, relations), '/tokens'),
    block: one('blocks', (id, target) => findBlock(id, target, blocks)),
    blocks: all('blocks', (target) => listBlocks(target, blocks)),
    async blockTransactions(number, query) {
      for (let [asked, pages] = [query, 1]; ; pages++) {
        const { document, target } = await transactions(asked);
        const timeOf = (row: documents.TransactionDocument) => parseTimestamp(row.consensus_timestamp) ?? 0n;
        const holding = await blocks.blocks.holding(document.transactions.map(timeOf));
        const own = document.transactions.filter((row) => holding.get(timeOf(row))?.number === number);
        const { next } = document.links;
        if (own.length > 0 || next === null || pages === MAX_PAGES) {
          return { document: { ...document, transactions: own }, target };
        }
        asked = next.slice(next.indexOf('?'));
      }
    },
    contract: one('contracts', (id, target) => findContract(id, target, contracts.one)),
    contractActions: one(
      'contracts/results',
      (id, target) => listActions(id, target, contracts.actions),
      '/actions',
    ),
    contractLogs: all('contracts/results/logs', (target) => listLogs(target, contracts.logs)),
    contractResults: all('contracts/results', (target) => listResults(target, contracts.results)),
    resultsOfContract: one(
      'contracts',
      (id, target) => listContractResults(id, target, contracts.results),
      '/results',
    ),
    exchangeRate: all('network/exchangerate', (target) => network.exchangeRate(target)),
    gasPrices: all('network/fees', (target) => network.gasPrices(target)),
    hbarAllowances: one(
      'accounts',
      (id, target) => listHbarAllowances(id, target, allowances),
      '/allowances/crypto',
    ),
    nftAllowances: one('accounts', (id, target) => listApprovals(id, target, allowances), '/allowances/nfts'),
    nfts: one('tokens', (id, target) => listTokenNfts(id, target, answers.nfts), '/nfts'),
    nodes: all('network/nodes', (target) => listNodes(target, answers.nodes)),
    holders: one('tokens', (id, target) => listTokenBalances(id, target, relations), '/balances'),
    messages: one('topics', (id, target) => listTopicMessages(id, target, topics), '/messages'),
    stake: all('network/stake', (target) => network.stake(target)),
    supply: all('network/supply', async (target) => (await network.supply(target)).body),
    token: one('tokens', (id, target) => findToken(id, target, answers.tokens)),
    tokenAllowances: one(
      'accounts',
      (id, target) => listTokenAllowances(id, target, allowances),
      '/allowances/tokens',
    ),
    topic: one('topics', (id, target) => findTopic(id, target, topics)),
    transaction: one('transactions', (id, target) => findTransaction(id, target, answers.transaction)),
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

function one<T>(
  path: string,
  read: (id: string, target: string) => Awaitable<Printed>,
  below = '',
): AskOne<T> {
  return async (id, query = '') => {
    const target = `/api/v1/${path}/${encodeURIComponent(id)}${below}${query}`;
    return { document: documentOf<T>(await read(id, target)), target };
  };
}

function documentOf<T>(printed: Printed): T {
  return exactDocument<T>(typeof printed === 'string' ? printed : printed.json);
}

/** Parses an answer of the API, with bigint for every integer. */
function exactDocument<T>(json: string): T {
  return parse(json, null, (text) => (isInteger(text) ? BigInt(text) : Number(text))) as T;
}
