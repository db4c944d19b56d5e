import type { Hex } from '../../values/hex.ts';
import { checksumAddress, isAddress, normaliseAddress } from '../address.ts';
import type { Chain } from '../chain/chain-registry.ts';
import type { Problem } from './other-pages.ts';

const CHAIN_ID = /^\d{1,20}$/;

/** A request for a page that cannot be shown. */
export class PageProblem extends Error {
  readonly problem: Problem;

  constructor(statusCode: number, title: string, text: string) {
    super(text);
    this.problem = { statusCode, title, text };
  }
}

/** A contract that a page is about. */
export interface Place {
  readonly chainId: string;
  readonly address: Hex;
  readonly checksummed: string;
  readonly chain: Chain;
}

/**
 * Reads chain and address of a path.
 *
 * @throws PageProblem
 */
export function readPlace(params: unknown, chainOf: (chainId: string) => Chain | undefined): Place {
  const { chainId = '', address = '' } = params as { readonly chainId?: string; readonly address?: string };
  const chain = readChain(chainId, chainOf);
  if (!isAddress(address)) {
    throw new PageProblem(
      400,
      'Not an address',
      `${shortened(address)} is not an address. An address is 0x and 40 hexadecimal digits.`,
    );
  }
  const normalised = normaliseAddress(address);
  return { chainId, chain, address: normalised, checksummed: checksumAddress(normalised) };
}

/** @throws PageProblem */
export function readChain(chainId: string, chainOf: (chainId: string) => Chain | undefined): Chain {
  if (!CHAIN_ID.test(chainId)) {
    throw new PageProblem(
      400,
      'Not a chain',
      `${shortened(chainId)} is not a chain id. Use decimal digits, such as 1 or 295.`,
    );
  }
  const chain = chainOf(chainId);
  if (chain !== undefined) return chain;
  throw new PageProblem(404, 'Unknown chain', `Chain ${chainId} is not supported by this server.`);
}

/**
 * A text of the query; null when it is not there.
 *
 * @throws PageProblem when it is there twice.
 */
export function readText(query: unknown, name: string): string | null {
  const value = (query as Readonly<Record<string, unknown>>)[name];
  if (value === undefined) return null;
  if (typeof value === 'string') return value;
  throw new PageProblem(400, 'Invalid page', `The parameter ${name} may be given only once.`);
}

function shortened(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}
