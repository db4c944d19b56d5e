import type { DecodedItem } from '../../items/decoded-item.ts';
import type { ResolveAlias } from '../../items/ledger-ids.ts';
import type { EntityAlias, FacetRows } from '../rows.ts';
import { DecodedRows } from './decoded-rows.ts';
import { evmOrder } from './evm-order.ts';
import type { DecodedUnit, Facet, ItemDecoder } from './facet.ts';
import { LEDGER_FACETS } from './ledger-facets.ts';

type NamedDecoder = ItemDecoder<unknown> & { readonly name: keyof FacetRows };

const DECODERS: ReadonlyMap<number, readonly NamedDecoder[]> = decodersByType(LEDGER_FACETS);
const NO_DECODERS: readonly NamedDecoder[] = [];

/**
 * What the facets make of the items of a unit. Each item meets the facets that name its type alone, so that more facets
 * do not make an import slower.
 */
export function createFacetDecoder() {
  const decoded = new DecodedRows();
  const notes = new Set<string>();
  const note = (text: string) => void notes.add(text);
  return {
    /** Called with each successful item, in their order. */
    add(item: DecodedItem, resolve: ResolveAlias): void {
      for (const { name, rows } of DECODERS.get(item.type) ?? NO_DECODERS)
        decoded.add(name, rows(item, resolve, note));
    },
    /** Called after the last item. */
    finish(unit: Omit<DecodedUnit, 'evm' | 'note'>) {
      const entities: EntityAlias[] = [];
      const noted = { ...unit, note };
      const withOrder = { ...noted, evm: evmOrder(noted) };
      for (const { decodeUnit, name } of LEDGER_FACETS) {
        const made = name === undefined ? undefined : decodeUnit?.(withOrder);
        if (name === undefined || made === undefined) continue;
        decoded.add(name, made.rows);
        entities.push(...(made.entities ?? []));
      }
      return { rows: decoded.all(), notes: [...notes], entities };
    },
  };
}

function decodersByType(facets: readonly Facet[]): ReadonlyMap<number, readonly NamedDecoder[]> {
  const decoders = new Map<number, NamedDecoder[]>();
  for (const { decode, name } of facets) {
    if (decode === undefined || name === undefined) continue;
    for (const type of decode.types) decoders.set(type, [...(decoders.get(type) ?? []), { ...decode, name }]);
  }
  return decoders;
}
