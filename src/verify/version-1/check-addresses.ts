import { checksumAddress, isAddress, normaliseAddress } from '../address.ts';
import type { ContractMatch, ContractRepository } from '../contracts/contract-repository.ts';
import { invalidParameter } from '../errors.ts';
import { queryText } from '../query-text.ts';
import { shorten } from '../shorten.ts';
import { statusOfMatch } from './match-status.ts';

/** Addresses and chains to look at. */
interface AddressCheck {
  readonly addresses: readonly string[];
  readonly chainIds: ReadonlySet<string>;
}

const isChainId = (text: string) => /^\d{1,20}$/.test(text);

/** Reads `addresses` and `chainIds`, both separated by commas. @throws VerifyRequestError `invalid_parameter` */
export function readAddressCheck(query: unknown): AddressCheck {
  return {
    addresses: readList(query, 'addresses', isAddress, 'addresses of 0x and 40 hex digits'),
    chainIds: new Set(readList(query, 'chainIds', isChainId, 'decimal chain ids')),
  };
}

function readList(
  query: unknown,
  name: string,
  isOne: (text: string) => boolean,
  what: string,
): readonly string[] {
  const texts = queryText(query, name)
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
  const wrong = texts.find((text) => !isOne(text));
  if (wrong === undefined && texts.length > 0)
    return [...new Map(texts.map((text) => [text.toLowerCase(), text])).values()];
  const given = wrong === undefined ? '' : `; "${shorten(wrong)}" is not one`;
  throw invalidParameter(`request/query/${name} must list ${what}, separated by commas${given}`);
}

/** The verified ones of an address; chains that are not configured have none. */
async function matchesOf(contracts: ContractRepository, address: string, { chainIds }: AddressCheck) {
  const matches = await contracts.listMatchesOfAddress(normaliseAddress(address));
  return matches.filter(({ chainId }) => chainIds.has(chainId));
}

/** Tells on which chains each address is verified exactly. */
export async function checkExact(contracts: ContractRepository, check: AddressCheck) {
  return Promise.all(
    check.addresses.map(async (text) => {
      const address = checksumAddress(normaliseAddress(text));
      const exact = (await matchesOf(contracts, text, check)).filter(
        (match) => statusOfMatch(match) === 'perfect',
      );
      if (exact.length === 0) return { address, status: 'false' };
      return { address, status: 'perfect', chainIds: exact.map(({ chainId }) => chainId) };
    }),
  );
}

/**
 * Tells how well each address is verified on each chain.
 *
 * @param more further members of an entry.
 */
export async function checkAll(
  contracts: ContractRepository,
  check: AddressCheck,
  more: (match: ContractMatch) => Promise<object>,
) {
  return Promise.all(
    check.addresses.map(async (text) => {
      const address = checksumAddress(normaliseAddress(text));
      const matches = await matchesOf(contracts, text, check);
      if (matches.length === 0) return { address, status: 'false' };
      const chainIds = matches.map(async (match) => ({
        chainId: match.chainId,
        status: statusOfMatch(match),
        ...(await more(match)),
      }));
      return { address, chainIds: await Promise.all(chainIds) };
    }),
  );
}
