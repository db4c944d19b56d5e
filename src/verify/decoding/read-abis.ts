import { isJsonObject } from '../json-object.ts';
import { type AbiIndex, indexAbi } from './abi-index.ts';
import type { DecodingRepository, SizedCompilation } from './decoding-repository.ts';
import type { KeptAbis } from './kept-abis.ts';
import type { Turns } from './turns.ts';

/** Artifacts of contracts have some ten thousand bytes; of longer ones nothing is decoded. */
const LONGEST_ARTIFACTS = 524_288;
const BYTES_OF_A_STATEMENT = 1_048_576;
/** Beyond it the further contracts of a page are not read; the next page finds those of this one kept. */
const BYTES_OF_A_PAGE = 4_194_304;
/** No compiler fits half as many into a contract. */
const MOST_ITEMS = 2000;
const ITEMS_OF_A_PAGE = 10_000;
const BYTES_OF_A_UNIT = 100;

/** The ABIs that a page needs, each read once. */
export class PageAbis {
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
      const isBeyond = bytes > LONGEST_ARTIFACTS || this.#bytes + bytes > BYTES_OF_A_PAGE;
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
      if (abi.length > MOST_ITEMS || this.#items + abi.length > ITEMS_OF_A_PAGE) continue;
      this.#items += abi.length;
      const index = await indexAbi(abi, this.#turns);
      this.#indexes.set(compilationId, index);
      this.#kept.keep(compilationId, index, artifacts.length);
    }
  }
}
