import { checksumAddress, normaliseAddress } from '../address.ts';
import type { Chain } from '../chain/chain-registry.ts';
import { ChainUnavailableError } from '../chain/chain-unavailable-error.ts';
import { VerifyRequestError } from '../errors.ts';
import type { ProxyResolver } from '../proxy/proxy-resolver.ts';
import { type EtherscanAnswer, notOk, ok } from './etherscan-call.ts';
import { TEXTS } from './texts.ts';

/** A proxy to look at, and the implementation that its submitter expects. */
interface ProxyReceipt {
  readonly chainId: string;
  readonly address: string;
  /** Null: any. */
  readonly expected: string | null;
}

const FORM = /^proxy-(\d{1,20})-(0x[0-9a-f]{40})(?:-(0x[0-9a-f]{40}))?$/;

/** Nothing is stored for a proxy: the receipt says what to look at. */
export function printProxyReceipt(chainId: string, address: string, expected: string): string {
  const suffix = expected === '' ? '' : `-${expected.toLowerCase()}`;
  return `proxy-${chainId}-${address.toLowerCase()}${suffix}`;
}

/** @returns null for anything that is no receipt. */
export function parseProxyReceipt(text: string): ProxyReceipt | null {
  const found = FORM.exec(text);
  if (found?.[1] === undefined || found[2] === undefined) return null;
  return { chainId: found[1], address: found[2], expected: found[3] ?? null };
}

/** Tells for what a contract is a proxy. @throws VerifyRequestError `failed_to_get_bytecode` */
export async function checkProxy(
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
