import { html } from '../../../pages/html.ts';
import type { PageFrame } from '../page-site.ts';
import { renderLayout } from './render-layout.ts';

/** A page for somebody who asked for what is not there. */
export function renderProblem(title: string, text: string, frame: PageFrame): string {
  return renderLayout(frame, {
    title,
    main: html`<h1>${title}</h1>
<p>${text}</p>
<p><a class="target" href="${frame.site.base}/">Back to the status page</a></p>`,
  });
}
