import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { HeaderLines } from '../../http/header-lines.ts';
import { type EncodedDocument, encodeText } from '../encoded-document.ts';
import { PUBLIC_CACHING, sendDocument } from '../send-document.ts';

/** A style sheet, script or picture that pages refer to; its bytes never change while the server runs. */
export interface Asset {
  /** Below `/assets/`, such as `site.css`. */
  readonly name: string;
  readonly type: string;
  /** Of its content, so that browsers keep it for ever and fetch a changed one. */
  readonly version: string;
  readonly document: EncodedDocument;
}

const FOR_EVER: HeaderLines = ['cache-control', 'public, max-age=31536000, immutable'];
const TYPES = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const;

/** An asset made of a text; the ending of its name tells its type. */
export function textAsset(name: `${string}.${keyof typeof TYPES}`, text: string): Asset {
  const document = encodeText(text, new Date(0).toUTCString());
  const ending = name.slice(name.lastIndexOf('.') + 1) as keyof typeof TYPES;
  return { name, type: TYPES[ending], version: document.plain.etag.slice(1, 11), document };
}

/**
 * The script that a page's room keeps as `NAME.browser.js`: plain JavaScript, checked with the types of a browser
 * (`tsconfig.browser.json`), sent as it is. A page must be usable without it.
 *
 * @param url such as `ownFile('verify/upload.browser.js')`.
 */
export function browserScript(name: `${string}.js`, url: URL): Asset {
  return textAsset(name, readFileSync(url, 'utf8'));
}

/** Where pages below `root` find an asset. */
export function assetHref({ name, version }: Asset, root: string): string {
  return `${root}/assets/${name}?v=${version}`;
}

/** `GET /assets/{name}` for each of them. */
export function serveAssets(app: FastifyInstance, assets: readonly Asset[]): void {
  for (const { name, type, version, document } of assets) {
    const headers: HeaderLines = ['content-type', type, 'x-content-type-options', 'nosniff'];
    app.get(`/assets/${name}`, { compress: false, schema: { hide: true } }, (request, reply) => {
      const isOfVersion = (request.query as Readonly<Record<string, unknown>>)['v'] === version;
      const caching = isOfVersion ? FOR_EVER : PUBLIC_CACHING;
      return sendDocument(document, [...headers, 'vary', 'Accept-Encoding', ...caching], request, reply);
    });
  }
}
