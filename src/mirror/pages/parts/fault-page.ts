import { html } from '../../../pages/html.ts';
import type { MirrorApiError } from '../../errors.ts';
import { faultList } from './faults.ts';
import { type PageContext, renderLedgerPage } from './ledger-frame.ts';

const TITLES: Readonly<Record<number, string>> = {
  400: 'Invalid address',
  404: 'Not found',
  413: 'Too large',
  503: 'Temporarily unavailable',
};

/** A refusal as a page that says what to do next. */
export function faultPage(error: MirrorApiError, context: PageContext): string {
  const title = TITLES[error.statusCode] ?? 'Request failed';
  const next =
    error.statusCode === 404
      ? html`<p>Not in this ledger. It may not be imported yet, or belong to a different network.</p>`
      : faultList('Invalid request', error);
  return renderLedgerPage(context, {
    title,
    tab: null,
    isHiddenFromSearch: true,
    main: html`<h1>${title}</h1>
${next}
<p>Search above, or see the <a href="${context.site.root}/ledger">newest transactions</a>.</p>`,
  });
}
