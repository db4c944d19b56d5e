import type { ServerResponse } from 'node:http';
import { checksumAddress, normaliseAddress } from '../address.ts';
import { requirePacked } from '../bodies/large-body.ts';
import type { Chain } from '../chain/chain-registry.ts';
import type { ContractRoutesParts } from '../contracts/contract-routes.ts';
import { lookUpContract } from '../contracts/look-up-contract.ts';
import { resolveStoredProxy } from '../contracts/resolve-stored-proxy.ts';
import { invalidParameter, VerifyRequestError } from '../errors.ts';
import { goneSignal } from '../following/gone-signal.ts';
import { shorten } from '../shorten.ts';
import { checkStatus } from './check-status.ts';
import { listCreations } from './contract-creation.ts';
import { type EtherscanAnswer, type EtherscanCall, notOk, ok, requireAddress } from './etherscan-call.ts';
import { getLogs } from './get-logs.ts';
import { printGuid } from './guid.ts';
import { checkProxy, parseProxyReceipt, printProxyReceipt } from './proxy-verification.ts';
import { readConstructorArguments, readSourceCode } from './read-source-code.ts';
import { TEXTS } from './texts.ts';
import { viewSourceCode } from './view-source-code.ts';

/** What the actions work with. */
export interface EtherscanParts extends ContractRoutesParts {
  readonly chains: readonly { readonly chainId: string }[];
}

type Action = (
  parts: EtherscanParts,
  call: EtherscanCall,
  response: ServerResponse,
) => Promise<EtherscanAnswer>;

/** What can be asked for, by module. */
const ACTIONS: Readonly<Record<string, Readonly<Record<string, Action>>>> = {
  contract: {
    verifysourcecode: submit,
    verifyvyper: submit,
    checkverifystatus: (parts, call, response) => checkStatus(parts, call, goneSignal(response)),
    getsourcecode: async (parts, call, response) => {
      const { chainId, address } = requireContractName(parts, call);
      const contract = await lookUpContract(parts, chainId, address, response);
      return ok([
        viewSourceCode(contract, contract === null ? null : await resolveStoredProxy(parts, contract)),
      ]);
    },
    getabi: async (parts, call) => {
      const { chainId, address } = requireContractName(parts, call);
      const contract = await parts.contracts.findCompiled(chainId, address);
      return contract === null
        ? notOk(TEXTS.notVerified)
        : ok(JSON.stringify(contract.artifacts['abi'] ?? []));
    },
    getcontractcreation: (parts, call, response) =>
      listCreations(
        parts.contracts,
        requireChain(parts, call),
        call.text('contractaddresses'),
        goneSignal(response),
      ),
    verifyproxycontract: async (parts, call) => {
      const { chainId } = requireChain(parts, call).settings;
      const expected =
        call.text('expectedimplementation') === '' ? '' : requireAddress(call, 'expectedimplementation');
      return ok(printProxyReceipt(chainId, requireAddress(call, 'address'), expected));
    },
    checkproxyverification: async (parts, call) => {
      const receipt = parseProxyReceipt(call.text('guid'));
      if (receipt === null) return notOk(TEXTS.unknownGuid);
      return checkProxy(parts.proxies, parts.service.requireChain(receipt.chainId), receipt);
    },
  },
  logs: {
    getlogs: (parts, call, response) =>
      asLogError(() => getLogs(requireChain(parts, call), call, goneSignal(response))),
  },
};

/** Does what a call asks for. @throws VerifyRequestError */
export async function runAction(
  parts: EtherscanParts,
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
  return (actions[call.action] as Action)(parts, call, response);
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
async function submit(parts: EtherscanParts, call: EtherscanCall): Promise<EtherscanAnswer> {
  const { chainId } = requireChain(parts, call).settings;
  const address = requireAddress(call, 'contractaddress');
  const constructorArguments = readConstructorArguments(call);
  try {
    parts.service.requireRoom(call.clientAddress);
    const id = await parts.service.submit(chainId, address, {
      creationTransactionHash: undefined,
      clientAddress: call.clientAddress,
      read: () => (call.submission === null ? readSourceCode(call) : requirePacked(call.submission)),
      needsCode: true,
    });
    return ok(printGuid(id, constructorArguments));
  } catch (error) {
    const code = error instanceof VerifyRequestError ? error.code : '';
    if (code === 'already_verified') return notOk(TEXTS.alreadyVerifiedAtSubmission);
    if (code === 'cannot_fetch_bytecode') {
      return notOk(`${TEXTS.noCode} ${checksumAddress(normaliseAddress(address))}`);
    }
    throw error;
  }
}

function requireContractName(parts: EtherscanParts, call: EtherscanCall) {
  const { chainId } = requireChain(parts, call).settings;
  return { chainId, address: normaliseAddress(requireAddress(call, 'address')) };
}

/** The chain that a call names, otherwise the only one there is. */
function requireChain({ service, chains }: EtherscanParts, { chainId }: EtherscanCall): Chain {
  if (chainId !== '') return service.requireChain(shorten(chainId));
  const [only] = chains;
  if (only !== undefined && chains.length === 1) return service.requireChain(only.chainId);
  throw invalidParameter(
    'Missing chainid: name the chain as chainid, or in the path as /api/{chainId}; GET /chains lists all',
  );
}
