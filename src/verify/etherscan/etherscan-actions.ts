import type { ServerResponse } from 'node:http';
import { timeLimit } from '../../values/time-limit.ts';
import { checksumAddress, isAddress, normaliseAddress } from '../address.ts';
import { requirePacked } from '../bodies/large-body.ts';
import type { Chain } from '../chain/chain-registry.ts';
import { ChainUnavailableError } from '../chain/contract-code-source.ts';
import type { ContractRepository } from '../contracts/contract-repository.sql.ts';
import { lookUpContract, resolveStoredProxy } from '../contracts/look-up-contract.ts';
import { invalidParameter, shorten, VerifyRequestError } from '../errors.ts';
import { goneSignal } from '../following/gone-signal.ts';
import type { ProxyResolver } from '../proxy/proxy-resolver.ts';
import type { VerifyContext } from '../verify-context.ts';
import { checkStatus, hashArguments, printGuid, whyArgumentsDiffer } from './check-status.ts';
import {
  type EtherscanAnswer,
  type EtherscanCall,
  notOk,
  ok,
  requireAddress,
  TEXTS,
} from './etherscan-call.ts';
import { getLogs } from './get-logs.ts';
import { readConstructorArguments, readSourceCode } from './read-source-code.ts';
import { viewSourceCode } from './view-source-code.ts';

type Action = (
  context: VerifyContext,
  call: EtherscanCall,
  response: ServerResponse,
) => Promise<EtherscanAnswer>;

/** What can be asked for, by module. */
const ACTIONS: Readonly<Record<string, Readonly<Record<string, Action>>>> = {
  contract: {
    verifysourcecode: submit,
    verifyvyper: submit,
    checkverifystatus: (context, call, response) => checkStatus(context, call, goneSignal(response)),
    getsourcecode: async (context, call, response) => {
      const { chainId, address } = requireContractName(context, call);
      const contract = await lookUpContract(context, chainId, address, response);
      return ok([
        viewSourceCode(contract, contract === null ? null : await resolveStoredProxy(context, contract)),
      ]);
    },
    getabi: async (context, call) => {
      const { chainId, address } = requireContractName(context, call);
      const contract = await context.contracts.findCompiled(chainId, address);
      return contract === null ? notOk(TEXTS.notVerified) : ok(contract.artifacts.text('abi') ?? '[]');
    },
    getcontractcreation: (context, call, response) =>
      listCreations(
        context.contracts,
        requireChain(context, call),
        call.text('contractaddresses'),
        goneSignal(response),
      ),
    verifyproxycontract: async (context, call) => {
      const { chainId } = requireChain(context, call).settings;
      const expected =
        call.text('expectedimplementation') === '' ? '' : requireAddress(call, 'expectedimplementation');
      return ok(printProxyReceipt(chainId, requireAddress(call, 'address'), expected));
    },
    checkproxyverification: async (context, call) => {
      const receipt = parseProxyReceipt(call.text('guid'));
      if (receipt === null) return notOk(TEXTS.unknownGuid);
      return checkProxy(context.proxies, context.service.requireChain(receipt.chainId), receipt);
    },
  },
  logs: {
    getlogs: (context, call, response) =>
      asLogError(() => getLogs(requireChain(context, call), call, goneSignal(response))),
  },
};

/** Does what a call asks for. @throws VerifyRequestError */
export async function runAction(
  context: VerifyContext,
  call: EtherscanCall,
  response: ServerResponse,
): Promise<EtherscanAnswer> {
  const actions = Object.hasOwn(ACTIONS, call.module) ? ACTIONS[call.module] : undefined;
  if (actions === undefined) {
    throw invalidParameter(`Error! Missing Or invalid Module name; use ${Object.keys(ACTIONS).join(' or ')}`);
  }
  if (!Object.hasOwn(actions, call.action)) {
    const names = Object.keys(actions).map((name) => (name === 'getlogs' ? 'getLogs' : name));
    throw invalidParameter(`Error! Missing Or invalid Action name; use one of ${names.join(', ')}`);
  }
  const action = actions[call.action] as Action;
  // Clients wait for nodes and jobs, hundreds at a time.
  if (action !== submit) call.keepParameters();
  return action(context, call, response);
}

/** Clients of the logs tell every refusal by its first word. */
async function asLogError(answer: () => Promise<EtherscanAnswer>): Promise<EtherscanAnswer> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof VerifyRequestError)) throw error;
    return notOk(`Error! ${error.message}`, { customCode: error.code });
  }
}

/** @throws VerifyRequestError `already_verified`, `cannot_fetch_bytecode` in the words that clients know. */
async function submit(context: VerifyContext, call: EtherscanCall): Promise<EtherscanAnswer> {
  const { chainId } = requireChain(context, call).settings;
  const address = requireAddress(call, 'contractaddress');
  const constructorArguments = readConstructorArguments(call);
  try {
    context.service.requireRoom(call.clientAddress);
    const id = await context.service.submit(chainId, address, {
      creationTransactionHash: undefined,
      clientAddress: call.clientAddress,
      read: () => (call.submission === null ? readSourceCode(call) : requirePacked(call.submission)),
      dropBody: call.dropBody,
      needsCode: true,
    });
    return ok(printGuid(id, constructorArguments));
  } catch (error) {
    const code = error instanceof VerifyRequestError ? error.code : '';
    if (code === 'already_verified') {
      // Hardhat tries again after a failure, and shows only what it gets then.
      const contract = { chainId, address: normaliseAddress(address) };
      const given = constructorArguments === '' ? null : hashArguments(constructorArguments);
      const reason = given === null ? null : await whyArgumentsDiffer(context.contracts, contract, given);
      return notOk(reason ?? TEXTS.alreadyVerifiedAtSubmission);
    }
    if (code === 'cannot_fetch_bytecode') {
      return notOk(`${TEXTS.noCode} ${checksumAddress(normaliseAddress(address))}`);
    }
    throw error;
  }
}

function requireContractName(context: VerifyContext, call: EtherscanCall) {
  const { chainId } = requireChain(context, call).settings;
  return { chainId, address: normaliseAddress(requireAddress(call, 'address')) };
}

/** The chain that a call names, otherwise the only one there is. */
function requireChain({ service, chains }: VerifyContext, { chainId }: EtherscanCall): Chain {
  if (chainId !== '') return service.requireChain(shorten(chainId));
  const [only] = chains;
  if (only !== undefined && chains.length === 1) return service.requireChain(only.chainId);
  throw invalidParameter(
    'Missing chainid: name the chain as chainid, or in the path as /api/{chainId}; GET /chains lists all',
  );
}

const MAX_ADDRESSES = 5;
/** The search for a creation transaction asks a node many times. */
const SEARCH_MS = 10_000;

/** Tells who created contracts in which transactions: what is stored, otherwise what the chain can tell. */
async function listCreations(
  contracts: ContractRepository,
  { settings: { chainId }, source }: Chain,
  list: string,
  signal: AbortSignal,
): Promise<EtherscanAnswer> {
  const addresses = list.split(',').map((text) => text.trim());
  if (addresses.length > MAX_ADDRESSES || !addresses.every(isAddress)) {
    throw invalidParameter(
      `Invalid Address format: contractaddresses must list up to ${MAX_ADDRESSES} addresses, separated by commas`,
    );
  }
  const { end, signal: limit } = timeLimit(SEARCH_MS, signal);

  async function search(text: string) {
    const address = normaliseAddress(text);
    const stored = (await contracts.findSummary(chainId, address))?.deployment ?? null;
    if (stored !== null && stored.transactionHash !== null) return { address, ...stored };
    try {
      const runtimeCode = await source.runtimeCode(address, limit);
      const found = await source.creation({ address, runtimeCode }, null, limit);
      return found === null || found.transactionHash === null ? null : { address, ...found };
    } catch (error) {
      // A node that fails or takes too long leaves the creation unknown.
      if (error instanceof ChainUnavailableError || limit.aborted) return null;
      throw error;
    }
  }

  const creations = await Promise.all(addresses.map(search)).finally(end);
  const result = creations.flatMap((creation) => {
    if (creation === null) return [];
    const { address, deployer, transactionHash, blockNumber } = creation;
    return [
      {
        contractAddress: checksumAddress(address),
        contractCreator: deployer === null ? '' : checksumAddress(deployer),
        txHash: transactionHash,
        blockNumber: blockNumber === null ? '' : String(blockNumber),
      },
    ];
  });
  return result.length === 0 ? notOk(TEXTS.noCreation) : ok(result);
}

/** A proxy to look at, and the implementation that its submitter expects. */
interface ProxyReceipt {
  readonly chainId: string;
  readonly address: string;
  /** Null: any. */
  readonly expected: string | null;
}

const FORM = /^proxy-(\d{1,20})-(0x[0-9a-f]{40})(?:-(0x[0-9a-f]{40}))?$/;

/** Nothing is stored for a proxy: the receipt says what to look at. */
function printProxyReceipt(chainId: string, address: string, expected: string): string {
  const suffix = expected === '' ? '' : `-${expected.toLowerCase()}`;
  return `proxy-${chainId}-${address.toLowerCase()}${suffix}`;
}

/** @returns null for anything that is no receipt. */
function parseProxyReceipt(text: string): ProxyReceipt | null {
  const found = FORM.exec(text);
  if (found?.[1] === undefined || found[2] === undefined) return null;
  return { chainId: found[1], address: found[2], expected: found[3] ?? null };
}

/** Tells for what a contract is a proxy. @throws VerifyRequestError `failed_to_get_bytecode` */
async function checkProxy(
  proxies: ProxyResolver,
  { settings: { chainId }, source, state }: Chain,
  { address: text, expected }: ProxyReceipt,
): Promise<EtherscanAnswer> {
  const address = normaliseAddress(text);
  const runtime = await source.runtimeCode(address).catch((error: unknown) => {
    if (!(error instanceof ChainUnavailableError)) throw error;
    throw new VerifyRequestError(
      'failed_to_get_bytecode',
      `Failed to get bytecode for chain ${chainId} and address ${checksumAddress(address)}.`,
    );
  });
  const resolution = await proxies.resolve({ chainId, address, state, runtime, creation: null });
  const found = 'isProxy' in resolution ? resolution.implementations.map((each) => each.address) : [];
  const [first] = found;
  if (first === undefined) return notOk(TEXTS.noProxy);
  if (expected !== null && !found.some((each) => each.toLowerCase() === expected)) {
    const reason = `It leads to ${first}, not to ${checksumAddress(normaliseAddress(expected))}.`;
    return notOk(TEXTS.noProxy, { reason });
  }
  return ok(
    `The proxy's (${checksumAddress(address)}) implementation contract is found at ${first} and is successfully updated.`,
  );
}
