import { html } from '../../../pages/html.ts';
import type { MirrorApiError } from '../../errors.ts';
import { faultList } from './faults.ts';
import { type PageContext, renderLedgerPage } from './ledger-frame.ts';

const TITLES: Readonly<Record<number, string>> = {
  400: 'This address cannot be read',
  404: 'Not found',
  413: 'Too large',
  503: 'Not available at the moment',
};

/** A refusal as a page that says what to do next. */
export function faultPage(error: MirrorApiError, context: PageContext): string {
  const title = TITLES[error.statusCode] ?? 'This did not work';
  const next =
    error.statusCode === 404
      ? html`<p>This ledger does not have it. It may not be imported yet, or belong to another network.</p>`
      : faultList('What is wrong', error);
  return renderLedgerPage(context, {
    title,
    tab: null,
    isHiddenFromSearch: true,
    main: html`<h1>${title}</h1>
${next}
<p>Search above, or look at the <a href="${context.site.root}/ledger">newest transactions</a>.</p>`,
  });
}
