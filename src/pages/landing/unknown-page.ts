import { namesType } from '../../http/accept.ts';
import type { AnswerUnknown } from '../../http/answers/error-answers.ts';
import { html } from '../html.ts';
import { renderSitePage, type Site, sendSitePage } from '../site/site-page.ts';

/** Answers browsers that ask for what is not here with a page of the site, and leaves programs to their area. */
export function answerUnknownPages(site: Site): AnswerUnknown {
  const { root } = site;
  const page = renderSitePage(site, {
    title: 'Not found',
    section: null,
    isHiddenFromSearch: true,
    main: html`<h1>Nothing is here</h1>
<p>No page and no API answers at this address. It may be mistyped, or belong to another version of this server.</p>
<ul>
<li><a class="target" href="${root}/">What this server offers</a></li>
<li><a class="target" href="${root}/docs/">Every operation of its APIs</a></li>
<li><a class="target" href="${root}/ledger">Transactions, accounts and blocks</a></li>
<li><a class="target" href="${root}/verify-ui">Verify a contract</a></li>
</ul>`,
  });
  return (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || !namesType(request.headers.accept, 'text/html')) return null;
    return sendSitePage(request, reply, page, { statusCode: 404, vary: 'Accept' });
  };
}
