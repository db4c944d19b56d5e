import { type Html, html } from '../../../pages/html.ts';
import type { Site } from '../../../pages/site/site-page.ts';
import type { EntityType } from '../../ledger/rows.ts';

export type LedgerLinks = ReturnType<typeof ledgerLinks>;

const NONE = html`<span class="muted">–</span>`;
const ID = /^(\d+\.\d+\.\d+)(?:-\d+-\d+)?$/;

/** Path below `/ledger/` of an entity of a kind. */
export function entityPath(kind: EntityType | null, id: string): string {
  if (kind === 'TOKEN') return `tokens/${id}`;
  if (kind === 'TOPIC') return `topics/${id}`;
  return kind === 'SCHEDULE' ? `search?q=${id}` : `accounts/${id}`;
}

/** Links to pages of the ledger. @param kinds of the entities that have a page */
export function ledgerLinks({ root }: Pick<Site, 'root'>, kinds: ReadonlyMap<string, EntityType | null>) {
  const link = (path: string, text: Html | string) => html`<a href="${root}/ledger/${path}">${text}</a>`;
  return {
    /** To the page of its own kind; an id that the ledger cannot show is plain text, an absent one a dash. */
    entity(id: string | null): Html {
      if (id === null) return NONE;
      const kind = kinds.get(id);
      return kind === undefined ? html`${id}` : link(entityPath(kind, id), id);
    },
    block: (number: bigint) => link(`blocks/${number}`, number.toString()),
    /** @param timestamp of the consensus, which names exactly one transaction. */
    transaction: (timestamp: string, text: Html | string) => link(`transactions/${timestamp}`, text),
  };
}

/** The entity ids in answers of the API: whole texts, and the payers of transaction ids. */
export function* idsIn(value: unknown): Iterable<string> {
  if (typeof value === 'string') {
    const id = ID.exec(value)?.[1];
    if (id !== undefined) yield id;
  } else if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) yield* idsIn(each);
  }
}
