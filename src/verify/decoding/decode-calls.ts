import type { DecodeCalls, Decoded, DecodeRequest } from '../../values/decode-calls.ts';
import { bareHex, type Hex, toHex } from '../../values/hex.ts';
import type { SignatureType } from '../signatures.ts';
import { type AbiIndex, type AbiItem, withoutNames } from './abi-index.ts';
import type { DecodingRepository } from './decoding-repository.ts';
import { explain, itemOfSignature, languageError, MOST_CANDIDATES, SELECTOR_BYTES } from './explain.ts';
import { KeptAbis } from './kept-abis.ts';
import { PageAbis } from './read-abis.ts';
import { Turns } from './turns.ts';

const KINDS = { call: 'function', revert: 'error', log: 'event' } as const;

/**
 * Decodes by the ABI of the contract itself; what that does not know, by the signatures of all verified contracts.
 *
 * @see docs/adr/0018-contract-activity.md
 */
export function createDecodeCalls(repository: DecodingRepository): DecodeCalls {
  const kept = new KeptAbis();
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
    const found = await repository.listOfSelectors(type, selectors, MOST_CANDIDATES + 1);
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
