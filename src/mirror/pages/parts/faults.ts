import { type Html, html } from '../../../pages/html.ts';
import type { MirrorApiError } from '../../errors.ts';

/** What was wrong with a request, in the words of the API. */
export function faultList(title: string, { messages }: MirrorApiError): Html {
  const texts = new Set(
    messages.map(({ detail, message }) => (detail === undefined ? message : `${message}: ${detail}`)),
  );
  return html`<div class="banner is-major" role="alert">
<h2>${title}</h2>
<ul>${[...texts].map((text) => html`<li>${text}</li>`)}</ul>
</div>`;
}
