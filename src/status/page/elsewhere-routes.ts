import type { FastifyInstance } from 'fastify';
import type { HeaderLines } from '../../http/header-lines.ts';
import type { EncodedDocument } from '../../pages/encoded-document.ts';
import { PUBLIC_CACHING, sendDocument } from '../../pages/send-document.ts';
import { StatusNotFoundError, StatusParameterError } from '../errors.ts';
import type { FrameTheme } from './elsewhere/render-frame.ts';
import type { PageContents } from './page-content.ts';
import type { PageSite } from './page-site.ts';

type Query = Readonly<Record<string, unknown>>;

const OPTIONS = { compress: false, schema: { hide: true } } as const;

/** Pages of others show it as a picture: nothing in it is ever asked for or run. */
const BADGE_HEADERS: HeaderLines = [
  ...['content-type', 'image/svg+xml; charset=utf-8'],
  ...['content-security-policy', "default-src 'none'; sandbox"],
  ...['x-content-type-options', 'nosniff'],
  ...['access-control-expose-headers', 'ETag'],
  ...['cross-origin-resource-policy', 'cross-origin'],
  ...PUBLIC_CACHING,
  ...['vary', 'Accept-Encoding'],
];

/**
 * What pages of others show: badges as pictures, and a line for a frame.
 *
 * @param render gives what was rendered a moment ago, or renders it.
 * @see contracts/status.md section 10
 */
export function serveElsewhere(
  app: FastifyInstance,
  base: string,
  site: PageSite,
  { contents, frameAncestors }: { readonly contents: PageContents; readonly frameAncestors: string },
  render: (page: string, of: (now: number) => Promise<string>) => Promise<EncodedDocument>,
): void {
  const badge = (id: string | null) => render(`badge ${id ?? ''}`, () => contents.badge(id));

  app.get(`${base}/badge.svg`, OPTIONS, async (request, reply) => {
    readChoice(request.query as Query, 'style', ['flat']);
    return sendDocument(await badge(null), BADGE_HEADERS, request, reply);
  });

  app.get<{ Params: { file: string } }>(`${base}/badge/:file`, OPTIONS, async (request, reply) => {
    readChoice(request.query as Query, 'style', ['flat']);
    const [, id] = /^([\w-]{1,64})\.svg$/.exec(request.params.file) ?? [];
    if (id === undefined) throw new StatusNotFoundError('path', request.params.file);
    return sendDocument(await badge(id), BADGE_HEADERS, request, reply);
  });

  const frameHeaders: HeaderLines = [
    ...['content-type', 'text/html; charset=utf-8'],
    'content-security-policy',
    `default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${frameAncestors}`,
    ...['x-content-type-options', 'nosniff', 'referrer-policy', 'no-referrer'],
    ...PUBLIC_CACHING,
    ...['vary', 'Accept-Encoding'],
  ];
  app.get(`${base}/embed`, OPTIONS, async (request, reply) => {
    const theme = readChoice(request.query as Query, 'theme', ['light', 'dark']) as FrameTheme;
    const line = await render(`embed ${theme}`, (now) => contents.frame(site, now, theme));
    return sendDocument(line, frameHeaders, request, reply);
  });
}

/** Null when it is absent or empty. @throws StatusParameterError */
function readChoice(query: Query, name: string, choices: readonly string[]): string | null {
  const given = query[name] ?? '';
  if (given === '') return null;
  if (typeof given !== 'string' || !choices.includes(given))
    throw new StatusParameterError(name, choices.join(' or '));
  return given;
}
