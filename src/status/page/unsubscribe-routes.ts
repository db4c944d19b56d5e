import type { FastifyPluginAsync } from 'fastify';
import type { ListenerOptions } from '../../http/area.ts';
import { addHeaders, type HeaderLines } from '../../http/header-lines.ts';
import { html } from '../../pages/html.ts';
import type { Page } from '../model/page-state.ts';
import { type PageSite, pageFrame } from './page-site.ts';
import { renderLayout } from './rendering/render-layout.ts';

interface UnsubscribeRoutesParts {
  /** What links in mails do. */
  readonly unsubscribing: {
    /** Whether there is such a subscription and the key is its own. */
    isKnown(id: string, key: string): Promise<boolean>;
    end(id: string): Promise<void>;
  };
  readPage(): Promise<Page>;
  readonly now: () => number;
  readonly sites: { readonly shared: PageSite; readonly own: PageSite };
}

/** What a form of ours or of a mail program sends says nothing more than that it was sent. */
const BODY_BYTES = 1024;
const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data'];

const HEADERS: HeaderLines = [
  ...['content-type', 'text/html; charset=utf-8'],
  'content-security-policy',
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  ...['x-content-type-options', 'nosniff', 'referrer-policy', 'no-referrer', 'cache-control', 'no-store'],
];

/**
 * Where the links of mails lead: the link asks, since programs open links too; its button, or the mail program itself,
 * ends the subscription.
 *
 * @see RFC 8058
 */
export function createUnsubscribeRoutes(parts: UnsubscribeRoutesParts): FastifyPluginAsync<ListenerOptions> {
  const { unsubscribing, readPage, now, sites } = parts;
  return async (app, { isOwnListener = false }) => {
    const site = isOwnListener ? sites.own : sites.shared;
    const path = `${isOwnListener ? '' : '/status'}/unsubscribe/:id/:key`;
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(FORMS, { parseAs: 'buffer', bodyLimit: BODY_BYTES }, async () => null);
    app.route<{ Params: { id: string; key: string } }>({
      method: ['GET', 'POST'],
      url: path,
      schema: { hide: true },
      async handler(request, reply) {
        const { id, key } = request.params;
        const isKnown = await unsubscribing.isKnown(id, key);
        if (isKnown && request.method === 'POST') await unsubscribing.end(id);
        const frame = pageFrame(site, await readPage(), now());
        const back = html`<p><a class="target" href="${site.base}/">Back to the status page</a></p>`;
        const [title, main] = isKnown
          ? request.method === 'POST'
            ? ['Unsubscribed', html`<p>You will receive no more emails at this address.</p>`]
            : [
                'Unsubscribe',
                html`<p>Stop receiving emails about ${frame.page.name}?</p>
<form method="post"><p><button>Unsubscribe</button></p></form>`,
              ]
          : ['Not subscribed', html`<p>No such subscription. It may already have been cancelled.</p>`];
        addHeaders(reply, HEADERS);
        return reply
          .code(isKnown ? 200 : 404)
          .send(renderLayout(frame, { title, main: html`<h1>${title}</h1>${main}${back}` }));
      },
    });
  };
}
