import { type Hex, toHex } from '../../values/hex.ts';
import { checksumAddress } from '../address.ts';
import { findProxyCandidates, type ProxyKind } from '../proxy/proxy-candidates.ts';

/** Code on chain that is no contract of its own, or that leads to the code of another. */
interface OnchainKind {
  readonly kind: 'delegated_account' | 'minimal_proxy' | 'proxy' | 'blueprint';
  /** What it is and what to do: for people. */
  readonly words: string;
}

const DELEGATION = Buffer.from('ef0100', 'hex');
const DELEGATION_BYTES = 23;
const BLUEPRINT = Buffer.from('fe71', 'hex');
/** All known minimal proxies delegate within these; arguments of the clone may follow. */
const MINIMAL_PROXY_BYTES = 64;

/** The account that code of an account delegates to; null for code of a contract. @see EIP-7702 */
export function delegationTarget(code: Uint8Array): Hex | null {
  const isDelegation = code.length === DELEGATION_BYTES && DELEGATION.compare(code.subarray(0, 3)) === 0;
  return isDelegation ? toHex(code.subarray(3)) : null;
}

/**
 * Names what code on chain is when no setting explains why sources do not give it.
 *
 * @param recompiled what the sources gave: a proxy that was expected is no explanation; null when nothing was compiled.
 * @see contracts/verification-engine.md section 1, step 8
 */
export function nameOnchainKind(onchain: Uint8Array, recompiled: Uint8Array | null): OnchainKind | null {
  const account = delegationTarget(onchain);
  if (account !== null) {
    const words = `The address is not a contract but an account that delegates to ${checksumAddress(account)} (EIP-7702). Verify the contract at that address.`;
    return { kind: 'delegated_account', words };
  }
  if (BLUEPRINT.compare(onchain.subarray(0, BLUEPRINT.length)) === 0) {
    const words =
      'The code on chain is a blueprint (ERC-5202): creation code from which factories make contracts. Verify a contract that was made from it.';
    return { kind: 'blueprint', words };
  }
  const target = minimalProxyTarget(onchain);
  if (target !== null) {
    if (recompiled !== null && minimalProxyTarget(recompiled) !== null) return null;
    const words = `The code on chain is a minimal proxy of ${checksumAddress(target)}. Verify the contract at that address.`;
    return { kind: 'minimal_proxy', words };
  }
  const standard = proxyStandard(onchain);
  if (standard === null) return null;
  // Implementations that upgrade themselves hold the same constants, and are longer than their proxies.
  const isLonger = recompiled !== null && recompiled.length > 2 * onchain.length;
  if (recompiled !== null && !isLonger && proxyStandard(recompiled) !== null) return null;
  const words = `The code on chain looks like a proxy (${standard}), whose implementation has an address of its own. Verify the sources of the implementation at that address, and those of the proxy here.`;
  return { kind: 'proxy', words };
}

function minimalProxyTarget(code: Uint8Array): Hex | null {
  const { clone, fixed } = findProxyCandidates(code.subarray(0, MINIMAL_PROXY_BYTES), null);
  return clone ?? fixed;
}

const STANDARDS: Readonly<Partial<Record<ProxyKind, string>>> = {
  EIP1967Proxy: 'EIP-1967',
  DiamondProxy: 'EIP-2535, a diamond',
  PROXIABLEProxy: 'EIP-1822',
  ZeppelinOSProxy: 'ZeppelinOS',
  GnosisSafeProxy: 'Safe',
  SequenceWalletProxy: 'Sequence wallet',
};

function proxyStandard(code: Uint8Array): string | null {
  const [first] = findProxyCandidates(code, null).stateful;
  return first === undefined ? null : (STANDARDS[first] ?? null);
}
