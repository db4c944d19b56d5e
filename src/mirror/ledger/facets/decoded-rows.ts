import type { FacetRows } from '../rows.ts';
import { facetRows } from './ledger-facets.ts';

/** Collects what facets make of a unit. */
export class DecodedRows {
  readonly #rows = new Map<keyof FacetRows, unknown[]>();

  /** @param rows that the facet of this name made */
  add(name: keyof FacetRows, rows: readonly unknown[]): void {
    const found = this.#rows.get(name);
    if (found === undefined) this.#rows.set(name, [...rows]);
    else for (const row of rows) found.push(row);
  }

  all(): FacetRows {
    // Each facet made the rows of its own member.
    return facetRows(Object.fromEntries(this.#rows) as Partial<FacetRows>);
  }
}
