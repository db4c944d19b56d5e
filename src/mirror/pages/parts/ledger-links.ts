import { type Html, html } from '../../../pages/html.ts';
import type { Site } from '../../../pages/site/site-page.ts';

/** Links to pages of the ledger; an absent id shows a dash. */
export interface LedgerLinks {
  account(id: string | null): Html;
  token(id: string): Html;
  topic(id: string): Html;
  block(number: bigint): Html;
  /** @param timestamp of the consensus, which names exactly one transaction. */
  transaction(timestamp: string, text: Html | string): Html;
  /** The entity that a transaction of a type is about. */
  entity(id: string, typeName: string): Html;
}

const NOBODY = html`<span class="muted">–</span>`;

export function ledgerLinks({ root }: Pick<Site, 'root'>): LedgerLinks {
  const link = (path: string, text: Html | string) => html`<a href="${root}/ledger/${path}">${text}</a>`;
  const account = (id: string | null) => (id === null ? NOBODY : link(`accounts/${id}`, id));
  const token = (id: string) => link(`tokens/${id}`, id);
  const topic = (id: string) => link(`topics/${id}`, id);
  return {
    account,
    token,
    topic,
    block: (number) => link(`blocks/${number}`, number.toString()),
    transaction: (timestamp, text) => link(`transactions/${timestamp}`, text),
    entity(id, typeName) {
      if (typeName.startsWith('TOKEN')) return token(id);
      if (typeName.startsWith('CONSENSUS')) return topic(id);
      if (/^(?:CRYPTO|CONTRACT|ETHEREUM)/.test(typeName)) return account(id);
      return link(`search?q=${id}`, id);
    },
  };
}
