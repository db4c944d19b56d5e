import type { FastifyInstance } from 'fastify';
import { namesType } from '../../http/accept.ts';
import { withoutEnding } from '../../values/without-ending.ts';
import { type Html, html } from '../html.ts';
import { COPY_SCRIPT } from '../site/site-assets.ts';
import { renderSitePage, type Site, sendSitePage } from '../site/site-page.ts';
import type { Overview, ReadOverview } from './overview.ts';

/** What the landing page shows of this installation. */
export interface SiteInfo {
  readonly version: string;
  readonly dialect: 'spec' | 'hiero';
  /** Address under which clients reach the server, without a trailing slash. */
  readonly publicUrl: string;
  /** Address of the status page; null when it is `/status` of this server. */
  readonly statusUrl: string | null;
  /** Its current state. */
  readonly overview: ReadOverview;
  /** A signed transfer, for the command that estimates its fee. */
  readonly sampleTransaction: Uint8Array;
}

/** `GET /`: what this server is, its state and example requests, as a page for people and as JSON for programs. */
export function serveLandingPage(app: FastifyInstance, info: SiteInfo): void {
  const { dialect, publicUrl, statusUrl, version } = info;
  const document = { name: 'Ledgerlens', version, dialect, publicUrl, statusUrl, links: links(info) };
  const site = siteOf(info);
  app.get('/', { compress: false, schema: { hide: true } }, async (request, reply) => {
    reply.header('vary', 'Accept, Accept-Encoding');
    if (!namesType(request.headers.accept, 'text/html')) {
      return reply.header('cache-control', 'public, max-age=60').send(document);
    }
    const page = renderLandingPage(site, info, await info.overview());
    return sendSitePage(request, reply, page, { vary: 'Accept, Accept-Encoding' });
  });
}

/** Where the pages of an installation lie. */
export function siteOf({ publicUrl, statusUrl, version }: SiteInfo): Site {
  return { root: withoutEnding(new URL(publicUrl).pathname, '/'), version, statusUrl };
}

function links(info: SiteInfo) {
  return [...forPeople(info), ...forPrograms(info)].map(({ href, title }) => ({ href, title }));
}

function forPeople({ publicUrl, statusUrl }: SiteInfo) {
  return [
    {
      href: `${publicUrl}/verify-ui`,
      title: 'Verify a contract',
      text: 'compare source code with the bytecode on chain',
    },
    { href: `${publicUrl}/repo-ui`, title: 'Verified contracts', text: 'sources, ABI, storage layout' },
    { href: `${publicUrl}/ledger`, title: 'Ledger', text: 'transactions, accounts, blocks, fees' },
    {
      href: statusUrl ?? `${publicUrl}/status`,
      title: 'Status page',
      text: 'incidents, maintenance, uptime',
    },
    { href: `${publicUrl}/docs/`, title: 'API documentation', text: 'every operation of the three APIs' },
  ];
}

function forPrograms({ publicUrl }: SiteInfo) {
  return [
    { href: `${publicUrl}/api/v1/transactions`, title: 'Newest ledger transactions' },
    { href: `${publicUrl}/api/v1/network/nodes`, title: 'Address book nodes' },
    { href: `${publicUrl}/chains`, title: 'Chains whose contracts can be verified' },
    { href: `${publicUrl}/api/v2/summary.json`, title: 'Status summary' },
    { href: `${publicUrl}/health/readiness`, title: 'Readiness' },
    { href: `${publicUrl}/metrics`, title: 'Metrics' },
  ];
}

function renderLandingPage(site: Site, info: SiteInfo, overview: Overview): string {
  const entry = ({ href, title, text }: { href: string; title: string; text?: string }) =>
    html`<li><a class="target" href="${href}">${title}</a>${text === undefined ? null : html` <span class="muted">${text}</span>`}</li>
`;
  return renderSitePage(site, {
    title: 'Contract verification, status and ledger',
    section: 'home',
    scripts: [COPY_SCRIPT],
    main: html`<h1>Contracts, ledger and status of your network</h1>
<p>Ledgerlens serves contract verification, a ledger mirror and a status page to explorers, wallets and build tools of EVM and Hiero networks.</p>
<h2>This server</h2>
<dl class="facts">
${facts(site, info, overview).map(
  ([term, text]) => html`<dt>${term}</dt><dd>${text}</dd>
`,
)}</dl>
<h2>Try it</h2>
<div class="questions">
${examples(info, overview).map(
  ({ title, command }) => html`<h3>${title}</h3>
<pre data-copy tabindex="0">${command}</pre>
`,
)}
</div>
<h2>Explore</h2>
<ul>
${forPeople(info).map(entry)}</ul>
<h2>API endpoints</h2>
<ul>
${forPrograms(info).map(entry)}</ul>`,
  });
}

function facts(site: Site, info: SiteInfo, overview: Overview): readonly (readonly [string, Html])[] {
  const { chains, ledger, status } = overview;
  const isUp = status.indicator === 'none';
  const statusHref = info.statusUrl ?? `${site.root}/status`;
  return [
    ['Version', html`${info.version}`],
    [
      'Status',
      html`<a href="${statusHref}" class="${isUp ? 'is-operational' : 'is-major'}">${status.description}</a>`,
    ],
    ['Ledger', ledger === null ? html`empty` : ledgerHead(ledger, overview.now)],
    [
      'Chains',
      chains.length === 0
        ? html`none`
        : html`${chains.map(({ chainId, name }) => `${name} (${chainId})`).join(', ')}`,
    ],
    [
      'Mirror API',
      info.dialect === 'hiero'
        ? html`compatible with the public Hiero mirror nodes`
        : html`as documented here; numbers and links differ from the public Hiero mirror nodes`,
    ],
  ];
}

function ledgerHead(
  { newestAt, newestTimestamp, networkVersion }: NonNullable<Overview['ledger']>,
  now: number,
): Html {
  const version = networkVersion === null ? null : html`, network version ${networkVersion}`;
  return html`up to <time datetime="${new Date(newestAt).toISOString()}">${newestTimestamp}</time>, ${ageText(now - newestAt)}${version}`;
}

/** Requests that have an answer on this server. */
function examples({ publicUrl, sampleTransaction }: SiteInfo, { ledger, verified }: Overview) {
  const bytes = Buffer.from(sampleTransaction).toString('base64');
  return [
    {
      title: 'Estimate the fee of a transaction',
      command: `echo ${bytes} | base64 -d | curl -s -H 'content-type: application/protobuf' --data-binary @- ${publicUrl}/api/v1/network/fees`,
    },
    { title: 'Get the status of all components', command: `curl -s ${publicUrl}/api/v2/status.json` },
    verified !== null
      ? {
          title: `Get the verification of the contract ${verified.name}`,
          command: `curl -s ${publicUrl}/v2/contract/${verified.chainId}/${verified.address}`,
        }
      : ledger !== null
        ? {
            title: 'Get the newest transaction',
            command: `curl -s '${publicUrl}/api/v1/transactions?limit=1'`,
          }
        : {
            title: 'List the compilers that verify contracts',
            command: `curl -s ${publicUrl}/v2/compilers`,
          },
  ];
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** How long ago something was, in its largest unit: `3 minutes ago`. */
export function ageText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const [name, length] = UNITS.find(([, each]) => seconds >= each) ?? ['second', 1];
  const count = Math.floor(seconds / length);
  if (count < 1) return 'just now';
  return `${count} ${name}${count === 1 ? '' : 's'} ago`;
}
