import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { bareHex } from '../../../values/hex.ts';
import type { ResolveAlias } from '../../items/ledger-ids.ts';
import type { TokenKind } from '../../ledger/facets/tokens.ts';
import type { EntityAlias } from '../../ledger/rows.ts';

/**
 * What decoding asks of the ledger as it was before the unit.
 *
 * @see contracts/streams.md section 6, resolving aliases
 */
export interface LedgerLookup {
  /** By account alias, key alias or EVM address. */
  entityByAlias(alias: Uint8Array): Promise<EntityId | null>;
  tokenKind(token: EntityId): Promise<TokenKind | null>;
  /** Those of the entities that have one. */
  evmAddresses(entities: readonly EntityId[]): Promise<ReadonlyMap<EntityId, Uint8Array>>;
  /**
   * What a file had before the first transaction of the unit; null when nothing tells.
   *
   * @param time of that transaction
   */
  fileContents(file: EntityId, time: ConsensusTimestamp): Promise<Uint8Array | null>;
}

/** A ledger that knows nothing: aliases stay unresolved. */
export const emptyLookup: LedgerLookup = {
  entityByAlias: async () => null,
  tokenKind: async () => null,
  evmAddresses: async () => new Map(),
  fileContents: async () => null,
};

/**
 * Lets decoding stay synchronous: it asks here, what was missing is loaded, and the unit is decoded again.
 *
 * Aliases are rare in bodies, so most units are decoded once.
 */
export class KnownEntities {
  /** As the ledger was before the unit. */
  readonly #aliases = new Map<string, EntityId | null>();
  /** By the items so far. */
  readonly #added = new Map<string, (readonly [place: number, entity: EntityId])[]>();
  readonly #tokens = new Map<EntityId, TokenKind | null>();
  readonly #missingAliases = new Map<string, Uint8Array>();
  readonly #missingTokens = new Set<EntityId>();
  /** As the ledger was before the unit. */
  readonly #addresses = new Map<EntityId, Uint8Array | null>();
  readonly #addedAddresses = new Map<EntityId, Uint8Array>();
  readonly #missingAddresses = new Set<EntityId>();

  readonly resolve = this.resolverAt(Infinity);

  /** Names those that had an alias at a place of the unit, when it has been read further already. */
  resolverAt(last: number): ResolveAlias {
    return (alias) => {
      const key = bareHex(alias);
      const known = this.#added.get(key)?.findLast(([place]) => place <= last)?.[1] ?? this.#aliases.get(key);
      if (known === undefined) this.#missingAliases.set(key, alias);
      return known ?? null;
    };
  }

  tokenKind(token: EntityId): TokenKind | null {
    const known = this.#tokens.get(token);
    if (known === undefined) this.#missingTokens.add(token);
    return known ?? null;
  }

  /** By the items so far. */
  evmAddress(entity: EntityId): Uint8Array | null {
    const known = this.#addedAddresses.get(entity) ?? this.#addresses.get(entity);
    if (known === undefined) this.#missingAddresses.add(entity);
    return known ?? null;
  }

  /** Decoding begins anew: who has an alias later in the unit does not have it yet. */
  begin(): void {
    this.#added.clear();
    this.#addedAddresses.clear();
  }

  /** Entities and tokens that the unit itself makes are known to what follows in it. */
  add(entity: EntityAlias, place: number): void {
    if (entity.evmAddress !== null) this.#addedAddresses.set(entity.entity, entity.evmAddress);
    for (const alias of [entity.alias, entity.evmAddress]) {
      if (alias === null) continue;
      const key = bareHex(alias);
      this.#added.set(key, [...(this.#added.get(key) ?? []), [place, entity.entity]]);
    }
  }

  addToken(token: EntityId, kind: TokenKind): void {
    this.#tokens.set(token, kind);
  }

  /** Loads what was asked for in vain; false when nothing was, so that decoding is complete. */
  async load(lookup: LedgerLookup): Promise<boolean> {
    const isMissing = this.#missingAliases.size + this.#missingTokens.size + this.#missingAddresses.size > 0;
    for (const [key, alias] of this.#missingAliases) {
      this.#aliases.set(key, await lookup.entityByAlias(alias));
    }
    for (const token of this.#missingTokens) {
      this.#tokens.set(token, this.#tokens.get(token) ?? (await lookup.tokenKind(token)));
    }
    if (this.#missingAddresses.size > 0) {
      const missing = [...this.#missingAddresses];
      const found = await lookup.evmAddresses(missing);
      for (const entity of missing) this.#addresses.set(entity, found.get(entity) ?? null);
    }
    this.#missingAddresses.clear();
    this.#missingAliases.clear();
    this.#missingTokens.clear();
    return isMissing;
  }
}
