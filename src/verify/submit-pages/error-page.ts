import type { ErrorAnswer } from '../../http/area.ts';
import { html } from '../../pages/html.ts';
import { renderSitePage, type Site } from '../../pages/site/site-page.ts';
import { isJsonObject } from '../json-object.ts';
import { safeText } from './safe-text.ts';

const LONGEST_MESSAGE = 2000;

/** A refusal as a page, with the next step. */
export function errorPage(site: Site, { statusCode, body }: ErrorAnswer): string {
  const { message, errorId, customCode } = isJsonObject(body) ? body : {};
  const isUnknown = statusCode === 404;
  const title = isUnknown ? 'Verification not found' : statusCode >= 500 ? 'Server error' : 'Request failed';
  return renderSitePage(site, {
    title,
    section: 'verify',
    isHiddenFromSearch: true,
    main: html`<h1>${title}</h1>
<p><bdi>${safeText(String(message ?? ''), LONGEST_MESSAGE)}</bdi></p>
<p>${
      isUnknown
        ? 'Check the address of this page. The verification may be on a different server, or its database was recreated.'
        : null
    } <a href="${site.root}/verify-ui">Verify a contract</a></p>
<p class="small muted">Status ${statusCode}, <code>${String(customCode ?? '')}</code>, error id <span class="code">${String(errorId ?? '')}</span></p>`,
  });
}
