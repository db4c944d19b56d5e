import type { Clock } from '../../values/clock.ts';
import type { LogSource } from '../../values/evm-logs.ts';
import { type Hex, parseHex } from '../../values/hex.ts';
import { ChainConfigError, type ChainSettings, requireStaticCode, type StaticCode } from './chain-config.ts';
import {
  ChainUnavailableError,
  type ContractCodeSource,
  type ContractCreation,
} from './contract-code-source.ts';
import {
  createJsonRpcClient,
  type JsonRpcClient,
  type RpcFailure,
  type WrongChain,
} from './json-rpc-client.ts';
import type { Fetch } from './json-rpc-endpoint.ts';
import { createRpcChain } from './rpc-chain.ts';
import { createRpcLogs, LogRequests } from './rpc-logs.ts';
import { type ContractStateSource, createRpcState } from './rpc-state.ts';

/** A configured chain together with the source of its code. */
export interface Chain {
  readonly settings: ChainSettings;
  readonly source: ContractCodeSource;
  /** Null when no node can be asked about the present state. */
  readonly state: ContractStateSource | null;
  /** The imported ledger, else the nodes; null when there is neither. */
  readonly logs: LogSource | null;
  /** Bounds requests for logs to the nodes; an imported ledger has bounds of its own. */
  readonly logRequests: LogRequests | null;
  /** Code that was given, by lower-case address; null: the chain takes none. */
  readonly given: Map<Hex, StaticContract> | null;
}

/** All configured chains, keyed by the exact text of the id: `0001` is not `1`. */
export type ChainRegistry = ReadonlyMap<string, Chain>;

/** What an imported ledger tells of its chain. */
export interface LedgerSource extends ContractCodeSource {
  readonly logs: LogSource;
}

interface ChainParts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Time-out of an RPC call without `timeoutMs` of its own, milliseconds. */
  readonly rpcTimeoutMs: number;
  /** False: no node is asked to search for a creation transaction. */
  readonly searchesCreation: boolean;
  /** Told once per endpoint that serves another chain than it was configured for. */
  readonly onWrongChain: (chainId: string, found: WrongChain) => void;
  /** Told of every call to a node that failed. */
  readonly onRpcFailure?: (chainId: string, reason: RpcFailure) => void;
  /** Gives the code source of an imported ledger; null when this server has none for the chain. */
  readonly ledgerSource: (chainId: string) => LedgerSource | null;
}

/** Connects each configured chain with its sources: the ledger first, then given code, then JSON-RPC. */
export function createChainRegistry(chains: readonly ChainSettings[], parts: ChainParts): ChainRegistry {
  return new Map(chains.map((settings) => [settings.chainId, connect(settings, parts)]));
}

function connect(settings: ChainSettings, parts: ChainParts): Chain {
  const ledger = settings.ledger ? parts.ledgerSource(settings.chainId) : null;
  const contracts = settings.static === null ? null : staticContracts(settings.static);
  const given = contracts === null ? null : createStaticChain(contracts);
  const rpc = settings.rpc.length > 0 ? createClient(settings, parts) : null;
  const node = rpc === null ? null : createRpcChain(rpc, parts.searchesCreation);
  return {
    settings,
    source: createOrderedSources(
      [ledger, given, node].flatMap((source) =>
        source === null ? [] : [{ source, isChain: source === node }],
      ),
    ),
    state: rpc === null ? null : createRpcState(rpc),
    logs: ledger?.logs ?? (rpc === null ? null : createRpcLogs(rpc)),
    logRequests: ledger === null ? new LogRequests() : null,
    given: contracts,
  };
}

/**
 * Replaces the code that was given for a contract; null takes it away.
 *
 * @throws ChainConfigError when the chain takes no given code, or this is none.
 */
export function giveCode(
  chains: ChainRegistry,
  chainId: string,
  address: string,
  code: StaticCode | null,
): void {
  const given = chains.get(chainId)?.given ?? null;
  if (given === null) {
    throw new ChainConfigError(chainId, 'must be a configured chain with "static", which may be empty');
  }
  requireStaticCode(chainId, address, code ?? { runtimeBytecode: '0x' });
  const key = address.toLowerCase() as Hex;
  if (code === null) given.delete(key);
  else given.set(key, staticContract(code));
}

function createClient(settings: ChainSettings, parts: ChainParts): JsonRpcClient {
  const endpoints = settings.rpc.map(({ url, headers, trace, timeoutMs }) => ({
    url,
    headers: headers ?? {},
    trace: trace ?? null,
    timeoutMs: timeoutMs ?? parts.rpcTimeoutMs,
  }));
  const { chainId } = settings;
  const { fetch, clock } = parts;
  return createJsonRpcClient(endpoints, {
    fetch,
    clock,
    chainId,
    onWrongChain: (found: WrongChain) => parts.onWrongChain(chainId, found),
    onFailure: (reason) => parts.onRpcFailure?.(chainId, reason),
  });
}

function staticContracts(contracts: Readonly<Record<string, StaticCode>>): Map<Hex, StaticContract> {
  return new Map(
    Object.entries(contracts).map(([address, code]) => [address.toLowerCase() as Hex, staticContract(code)]),
  );
}

function staticContract(code: StaticCode): StaticContract {
  const runtimeCode = parseHex(code.runtimeBytecode) ?? new Uint8Array();
  const creationCode = code.creationBytecode === undefined ? null : parseHex(code.creationBytecode);
  if (creationCode === null) return { runtimeCode, creation: null };
  return {
    runtimeCode,
    creation: {
      creationCode,
      transactionHash: (code.creationTransactionHash ?? null) as Hex | null,
      blockNumber: code.blockNumber === undefined ? null : BigInt(code.blockNumber),
      transactionIndex: code.transactionIndex ?? null,
      deployer: (code.deployer?.toLowerCase() ?? null) as Hex | null,
      life: 'present',
    },
  };
}

/** A contract whose code an operator gave. */
interface StaticContract {
  readonly runtimeCode: Uint8Array;
  readonly creation: ContractCreation | null;
}

/** Answers from code given by the operator, for tests and offline use. Keys are lower-case addresses. */
function createStaticChain(contracts: ReadonlyMap<Hex, StaticContract>): ContractCodeSource {
  return {
    async runtimeCode(address) {
      return contracts.get(address)?.runtimeCode ?? new Uint8Array();
    },
    async creation({ address }, transactionHash) {
      const creation = contracts.get(address)?.creation ?? null;
      const isOther = transactionHash !== null && creation?.transactionHash !== transactionHash;
      return isOther ? null : creation;
    },
  };
}

/** A source in the order of asking. */
interface RankedSource {
  readonly source: ContractCodeSource;
  /** Whether the source is the chain itself: what it does not have is not there. */
  readonly isChain: boolean;
}

/**
 * Asks several sources of one chain in order; the first with code or a creation answers.
 *
 * A source that is not available is passed over. When nobody has an answer, that is an error only if the chain
 * itself was not among those that were asked.
 */
export function createOrderedSources(sources: readonly RankedSource[]): ContractCodeSource {
  return {
    async runtimeCode(address, signal) {
      return firstAnswer(
        sources,
        (source) => source.runtimeCode(address, signal),
        (code) => code.length > 0,
        new Uint8Array(),
      );
    },
    async creation(contract, transactionHash, signal) {
      return firstAnswer(
        sources,
        (source) => source.creation(contract, transactionHash, signal),
        (creation) => creation !== null,
        null,
      );
    },
  };
}

async function firstAnswer<T>(
  sources: readonly RankedSource[],
  ask: (source: ContractCodeSource) => Promise<T>,
  isAnswer: (answer: T) => boolean,
  nothing: T,
): Promise<T> {
  const faults: ChainUnavailableError[] = [];
  for (const { source, isChain } of sources) {
    try {
      const answer = await ask(source);
      if (isAnswer(answer) || isChain) return answer;
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) throw error;
      faults.push(error);
    }
  }
  const [first, ...others] = faults;
  if (first === undefined) return nothing;
  if (others.length === 0) throw first;
  throw new ChainUnavailableError(
    'the chain',
    faults.map(({ message }) => message),
    {
      ...(first.advice === null ? {} : { advice: first.advice }),
    },
  );
}
