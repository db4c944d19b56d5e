import type { Clock } from '../../values/clock.ts';
import { type Hex, parseHex } from '../../values/hex.ts';
import type { ChainSettings } from './chain-config.ts';
import type { ContractCodeSource } from './contract-code-source.ts';
import type { ContractStateSource } from './contract-state-source.ts';
import type { WrongChain } from './endpoint-identity.ts';
import { createJsonRpcClient, type JsonRpcClient } from './json-rpc-client.ts';
import type { Fetch } from './json-rpc-endpoint.ts';
import { createOrderedSources } from './ordered-sources.ts';
import { createRpcChain } from './rpc-chain.ts';
import { createRpcState } from './rpc-state.ts';
import { createStaticChain, type StaticContract } from './static-chain.ts';

/** A configured chain together with the source of its code. */
export interface Chain {
  readonly settings: ChainSettings;
  readonly source: ContractCodeSource;
  /** Null when no node can be asked about the present state. */
  readonly state: ContractStateSource | null;
}

/** All configured chains, keyed by the exact text of the id: `0001` is not `1`. */
export type ChainRegistry = ReadonlyMap<string, Chain>;

export interface ChainParts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Time-out of an RPC call without `timeoutMs` of its own, milliseconds. */
  readonly rpcTimeoutMs: number;
  /** False: no node is asked to search for a creation transaction. */
  readonly searchesCreation: boolean;
  /** Told once per endpoint that serves another chain than it was configured for. */
  readonly onWrongChain: (chainId: string, found: WrongChain) => void;
  /** Gives the code source of an imported ledger; null when this server has none for the chain. */
  readonly ledgerSource: (chainId: string) => ContractCodeSource | null;
}

/** Connects each configured chain with its sources: the ledger first, then given code, then JSON-RPC. */
export function createChainRegistry(chains: readonly ChainSettings[], parts: ChainParts): ChainRegistry {
  return new Map(chains.map((settings) => [settings.chainId, connect(settings, parts)]));
}

function connect(settings: ChainSettings, parts: ChainParts): Chain {
  const ledger = settings.ledger ? parts.ledgerSource(settings.chainId) : null;
  const given = Object.keys(settings.static).length > 0 ? createStaticChain(staticContracts(settings)) : null;
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
  };
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
  });
}

function staticContracts({ static: contracts }: ChainSettings): ReadonlyMap<Hex, StaticContract> {
  return new Map(
    Object.entries(contracts).map(([address, contract]) => {
      const creationCode =
        contract.creationBytecode === undefined ? null : parseHex(contract.creationBytecode);
      const creation =
        creationCode === null
          ? null
          : {
              creationCode,
              transactionHash: (contract.creationTransactionHash ?? null) as Hex | null,
              blockNumber: contract.blockNumber === undefined ? null : BigInt(contract.blockNumber),
              transactionIndex: contract.transactionIndex ?? null,
              deployer: (contract.deployer?.toLowerCase() ?? null) as Hex | null,
            };
      const runtimeCode = parseHex(contract.runtimeBytecode) ?? new Uint8Array();
      return [address.toLowerCase() as Hex, { runtimeCode, creation }];
    }),
  );
}
