import { checksumAddress, isAddress, normaliseAddress } from '../address.ts';
import type { ContractMatch, ContractRepository } from '../contracts/contract-repository.sql.ts';
import type { Scan } from '../contracts/scan-scheduler.ts';
import { invalidParameter, shorten } from '../errors.ts';
import { overallMatch } from '../match/compiled-code.ts';
import { queryText } from '../query-text.ts';

/** Read at once; between two parts other requests have their turn. */
const ROWS_AT_ONCE = 2000;
const MAX_OF_A_LIST = 200;

/** How a list is read. */
interface Reading {
  /** Gives the parts of the list their turns. */
  readonly scan: Scan;
  /** Ends it early. */
  readonly signal: AbortSignal;
}

/** Which page of the contracts of a chain is asked for. */
type ContractPage = ReturnType<typeof readContractPage>;

/** Reads `page` (from 0 on), `limit` and `order`. @throws VerifyRequestError `invalid_parameter` */
export function readContractPage(query: unknown) {
  const order = queryText(query, 'order') || 'asc';
  if (order !== 'asc' && order !== 'desc') throw invalidParameter('request/query/order must be asc or desc');
  return {
    page: readNumber(query, 'page', 0, { least: 0, most: 1_000_000_000 }),
    limit: readNumber(query, 'limit', MAX_OF_A_LIST, { least: 1, most: MAX_OF_A_LIST }),
    order,
  } as const;
}

function readNumber(
  query: unknown,
  name: string,
  absent: number,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  const text = queryText(query, name);
  if (text === '') return absent;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : -1;
  if (value >= least && value <= most) return value;
  throw invalidParameter(`request/query/${name} must be a whole number from ${least} to ${most}`);
}

/** The first 200 contracts of a chain that are verified exactly, and of the others. */
export async function listBothKinds(contracts: ContractRepository, chainId: string, reading: Reading) {
  const lists: Record<MatchStatus, string[]> = { perfect: [], partial: [] };
  for await (const match of matchesOf(contracts, chainId, 'asc', reading)) {
    const list = lists[statusOfMatch(match)];
    if (list.length < MAX_OF_A_LIST) list.push(checksumAddress(match.address));
    else if (Object.values(lists).every(({ length }) => length >= MAX_OF_A_LIST)) break;
  }
  return { full: lists.perfect, partial: lists.partial };
}

/** A page of the contracts of a chain. @param status null for all. */
export async function listPage(
  contracts: ContractRepository,
  chainId: string,
  status: MatchStatus | null,
  { page, limit, order }: ContractPage,
  reading: Reading,
) {
  const results: string[] = [];
  let total = 0;
  for await (const match of matchesOf(contracts, chainId, order, reading)) {
    if (status !== null && statusOfMatch(match) !== status) continue;
    if (total >= page * limit && results.length < limit) results.push(checksumAddress(match.address));
    total += 1;
  }
  const totalPages = Math.ceil(total / limit);
  const pagination = {
    currentPage: page,
    totalPages,
    resultsPerPage: limit,
    resultsCurrentPage: results.length,
    totalResults: total,
    hasNextPage: page + 1 < totalPages,
    hasPreviousPage: page > 0,
  };
  return { results, pagination };
}

async function* matchesOf(
  contracts: ContractRepository,
  chainId: string,
  sort: 'asc' | 'desc',
  { scan, signal }: Reading,
): AsyncGenerator<ContractMatch> {
  let afterMatchId: bigint | null = null;
  for (;;) {
    await scan.turn();
    if (signal.aborted) return;
    const part: readonly ContractMatch[] = await contracts.listMatchesOfChain(chainId, {
      sort,
      limit: ROWS_AT_ONCE,
      afterMatchId,
    });
    yield* part;
    if (part.length < ROWS_AT_ONCE) return;
    afterMatchId = part.at(-1)?.matchId ?? null;
  }
}

/** The better of both matches in the words of version 1. */
export type MatchStatus = 'perfect' | 'partial';

export function statusOfMatch({ creation, runtime }: ContractMatch): MatchStatus {
  return overallMatch(creation, runtime) === 'exact_match' ? 'perfect' : 'partial';
}

/** Addresses and chains to look at. */
type AddressCheck = ReturnType<typeof readAddressCheck>;

const isChainId = (text: string) => /^\d{1,20}$/.test(text);

/** Reads `addresses` and `chainIds`, both separated by commas. @throws VerifyRequestError `invalid_parameter` */
export function readAddressCheck(query: unknown) {
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
async function matchesAt(contracts: ContractRepository, address: string, { chainIds }: AddressCheck) {
  const matches = await contracts.listMatchesOfAddress(normaliseAddress(address));
  return matches.filter(({ chainId }) => chainIds.has(chainId));
}

/** Tells on which chains each address is verified exactly. */
export async function checkExact(contracts: ContractRepository, check: AddressCheck) {
  return Promise.all(
    check.addresses.map(async (text) => {
      const address = checksumAddress(normaliseAddress(text));
      const exact = (await matchesAt(contracts, text, check)).filter(
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
      const matches = await matchesAt(contracts, text, check);
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
