import { Turns } from '../../threads/turns.ts';
import type { DecodeCalls, Decoded, DecodeRequest } from '../../values/decode-calls.ts';
import { bareHex, type Hex, toHex } from '../../values/hex.ts';
import { ByteBoundMap } from '../byte-bound-map.ts';
import { isJsonObject } from '../json-object.ts';
import type { SignatureType } from '../signatures.ts';
import { type AbiIndex, type AbiItem, indexAbi, withoutNames } from './abi-index.ts';
import type { DecodingRepository } from './decoding-repository.sql.ts';
import type { SizedCompilation } from './decoding-repository.ts';
import { explain, itemOfSignature, languageError, MAX_CANDIDATES, SELECTOR_BYTES } from './explain.ts';

/**
 * ABIs by compilation, those that were asked for last. A compilation never changes and its id is never given again, so
 * nothing kept here is ever wrong: which compilation an address shows is read anew for each page.
 */
type KeptAbis = ByteBoundMap<bigint, AbiIndex>;

/** Artifacts that kept ABIs were read from; the ABIs take some times as much. */
const KEPT_BYTES = 8_388_608;
const KINDS = { call: 'function', revert: 'error', log: 'event' } as const;

/**
 * Decodes by the ABI of the contract itself; what that does not know, by the signatures of all verified contracts.
 *
 * @see docs/adr/0018-contract-activity.md
 */
export function createDecodeCalls(repository: DecodingRepository): DecodeCalls {
  const kept: KeptAbis = new ByteBoundMap(KEPT_BYTES);
  return {
    async decodeAll(requests) {
      const turns = new Turns();
      const abis = new PageAbis(repository, kept, turns);
      const own = await ownAbis(repository, abis, requests);
      const decoded: (Decoded | null)[] = [];
      const left = new Map<number, string>();
      for (const [index, request] of requests.entries()) {
        const hash = hashOf(request);
        const items = hash === null ? [] : (own(request)?.find(KINDS[request.kind], hash) ?? []);
        const language = request.kind === 'revert' && hash !== null ? languageError(hash) : null;
        const isKnown = language !== null || items.length > 0;
        decoded.push(
          language !== null
            ? await explain(request, [language], 'language', turns)
            : await explain(request, items, 'contract', turns),
        );
        // An ABI that knows the selector and not the bytes leaves nothing to others.
        if (!isKnown) left.set(index, hash ?? '');
      }
      const known = await knownItems(repository, abis, requests, left);
      for (const [index, hash] of left) {
        const request = requests[index];
        if (request === undefined) continue;
        const items = known(KINDS[request.kind], hash);
        const anonymous = request.kind === 'log' ? (own(request)?.anonymous ?? []) : [];
        decoded[index] =
          items.length === 0 && anonymous.length > 0
            ? await explain(request, anonymous, 'contract', turns, true)
            : await explain(request, items, 'signature', turns);
      }
      return decoded;
    },
  };
}

/** Selector or topic; null when there is none. */
function hashOf(request: DecodeRequest): string | null {
  if (request.kind === 'log') {
    const [topic] = request.topics;
    return topic?.length === 32 ? bareHex(topic) : null;
  }
  return request.data.length < SELECTOR_BYTES ? null : bareHex(request.data.subarray(0, SELECTOR_BYTES));
}

async function ownAbis(
  repository: DecodingRepository,
  abis: PageAbis,
  requests: readonly DecodeRequest[],
): Promise<(request: DecodeRequest) => AbiIndex | null> {
  const chains = new Map<string, Set<Hex>>();
  for (const { chain, address } of requests) {
    chains.set(chain, (chains.get(chain) ?? new Set<Hex>()).add(toHex(address)));
  }
  const compilations = new Map<string, bigint>();
  for (const [chain, addresses] of chains) {
    const found = await repository.listOfAddresses(chain, [...addresses]);
    for (const { address, compilationId } of found) compilations.set(`${chain} ${address}`, compilationId);
    await abis.read(found);
  }
  return ({ chain, address }) => {
    const id = compilations.get(`${chain} ${toHex(address)}`);
    return id === undefined ? null : abis.of(id);
  };
}

/** Finds what verified contracts say of the hashes that are left. */
async function knownItems(
  repository: DecodingRepository,
  abis: PageAbis,
  requests: readonly DecodeRequest[],
  left: ReadonlyMap<number, string>,
): Promise<(type: SignatureType, hash: string) => readonly AbiItem[]> {
  const items = new Map<string, AbiItem[]>();
  const add = (type: SignatureType, hash: string, found: readonly AbiItem[]) => {
    const key = `${type} ${hash}`;
    items.set(key, [...(items.get(key) ?? []), ...found]);
  };
  const hashes = (kind: DecodeRequest['kind']) => [
    ...new Set(
      [...left]
        .filter(([index, hash]) => requests[index]?.kind === kind && hash !== '')
        .map(([, hash]) => hash),
    ),
  ];
  for (const kind of ['call', 'revert'] as const) {
    const selectors = hashes(kind);
    if (selectors.length === 0) continue;
    const type = KINDS[kind];
    const found = await repository.listOfSelectors(type, selectors, MAX_CANDIDATES + 1);
    for (const { selector, signature } of found) {
      const item = itemOfSignature(type, signature);
      if (item !== null) add(type, selector, [item]);
    }
  }
  const topics = hashes('log');
  if (topics.length > 0) {
    const found = await repository.listOfTopics(topics);
    await abis.read(found);
    for (const { topic, compilationId } of found) {
      add('event', topic, (abis.of(compilationId)?.find('event', topic) ?? []).map(withoutNames));
    }
  }
  return (type, hash) => items.get(`${type} ${hash}`) ?? [];
}

/** Artifacts of contracts have some ten thousand bytes; of longer ones nothing is decoded. */
const MAX_ARTIFACTS_LENGTH = 524_288;
const BYTES_OF_A_STATEMENT = 1_048_576;
/** Beyond it the further contracts of a page are not read; the next page finds those of this one kept. */
const BYTES_OF_A_PAGE = 4_194_304;
/** No compiler fits half as many into a contract. */
const MAX_ITEMS = 2000;
const ITEMS_OF_A_PAGE = 10_000;
const BYTES_OF_A_UNIT = 100;

/** The ABIs that a page needs, each read once. */
class PageAbis {
  readonly #repository: DecodingRepository;
  readonly #kept: KeptAbis;
  readonly #turns: Turns;
  readonly #indexes = new Map<bigint, AbiIndex>();
  #bytes = 0;
  #items = 0;

  constructor(repository: DecodingRepository, kept: KeptAbis, turns: Turns) {
    this.#repository = repository;
    this.#kept = kept;
    this.#turns = turns;
  }

  /** The ABI of a compilation that was read; null for others and beyond the bounds. */
  of(compilationId: bigint): AbiIndex | null {
    return this.#indexes.get(compilationId) ?? null;
  }

  async read(compilations: readonly SizedCompilation[]): Promise<void> {
    const sizes = new Map(compilations.map(({ compilationId, bytes }) => [compilationId, bytes]));
    let part: bigint[] = [];
    let bytesOfPart = 0;
    for (const [id, bytes] of sizes) {
      const known = this.#indexes.get(id) ?? this.#kept.get(id);
      if (known !== null) this.#indexes.set(id, known);
      const isBeyond = bytes > MAX_ARTIFACTS_LENGTH || this.#bytes + bytes > BYTES_OF_A_PAGE;
      if (isBeyond || known !== null) continue;
      this.#bytes += bytes;
      if (bytesOfPart + bytes > BYTES_OF_A_STATEMENT) {
        await this.#readPart(part);
        part = [];
        bytesOfPart = 0;
      }
      part.push(id);
      bytesOfPart += bytes;
    }
    if (part.length > 0) await this.#readPart(part);
  }

  async #readPart(ids: readonly bigint[]): Promise<void> {
    for (const { compilationId, artifacts } of await this.#repository.readArtifacts(ids)) {
      await this.#turns.spend(artifacts.length / BYTES_OF_A_UNIT);
      const parsed: unknown = JSON.parse(artifacts);
      const abi = isJsonObject(parsed) && Array.isArray(parsed['abi']) ? parsed['abi'] : [];
      if (abi.length > MAX_ITEMS || this.#items + abi.length > ITEMS_OF_A_PAGE) continue;
      this.#items += abi.length;
      const index = await indexAbi(abi, this.#turns);
      this.#indexes.set(compilationId, index);
      this.#kept.set(compilationId, index, artifacts.length);
    }
  }
}
