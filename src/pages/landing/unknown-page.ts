import { namesType } from '../../http/accept.ts';
import type { AnswerMalformed, AnswerUnknown } from '../../http/answers/error-answers.ts';
import { html } from '../html.ts';
import { renderSitePage, type Site, sendSitePage } from '../site/site-page.ts';

/** Answers browsers that ask for what is not here with a page of the site, and leaves programs to their area. */
export function answerUnknownPages(site: Site): AnswerUnknown {
  const answer = answerWithPage(site, {
    title: 'Not found',
    heading: 'Page not found',
    reason: 'This address has no page and no API. Check it for typing errors.',
  });
  return (request, reply) => answer(request, reply, 404);
}

/** The same for an address that no server can read, such as one that ends within a `%` sequence. */
export function answerMalformedPages(site: Site): AnswerMalformed {
  return answerWithPage(site, {
    title: 'Malformed address',
    heading: 'This address is malformed',
    reason: 'Two hexadecimal digits must follow each %; write a percent sign as %25.',
  });
}

interface Words {
  readonly title: string;
  readonly heading: string;
  readonly reason: string;
}

function answerWithPage(site: Site, { heading, reason, title }: Words): AnswerMalformed {
  const { root } = site;
  const page = renderSitePage(site, {
    title,
    section: null,
    isHiddenFromSearch: true,
    main: html`<h1>${heading}</h1>
<p>${reason}</p>
<ul>
<li><a class="target" href="${root}/">Home page</a></li>
<li><a class="target" href="${root}/docs/">API documentation</a></li>
<li><a class="target" href="${root}/ledger">Transactions, accounts and blocks</a></li>
<li><a class="target" href="${root}/verify-ui">Verify a contract</a></li>
</ul>`,
  });
  return (request, reply, statusCode) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || !namesType(request.headers.accept, 'text/html')) return null;
    return sendSitePage(request, reply, page, { statusCode, vary: 'Accept' });
  };
}
