import { type Html, html } from '../../pages/html.ts';
import { renderSitePage } from '../../pages/site/site-page.ts';
import type { NamedMatch } from '../contracts/contract-repository.sql.ts';
import { chainTitle, contractHref, type PageContext, submitHref } from './page-context.ts';
import { CONTRACTS_SHEET, LATER_SCRIPT } from './pages-assets.ts';
import { renderContractList } from './views/contract-list.ts';
import { visibleText } from './visible-text.ts';

const MAX_CHAINS = 40;

/** What a page about a problem says. */
export interface Problem {
  readonly statusCode: number;
  readonly title: string;
  readonly text: string;
  /** When trying again may help. */
  readonly retryAfterSeconds?: number | null;
}

/** A page of this room. `title` is of the tab and the heading. */
function page(context: PageContext, title: string, content: Html): string {
  return renderSitePage(context.site, {
    title,
    section: 'verify',
    sheets: [CONTRACTS_SHEET],
    scripts: [LATER_SCRIPT],
    isHiddenFromSearch: true,
    main: html`<h1>${title}</h1>
${content}`,
  });
}

/** What went wrong, and where to go on. */
export function renderProblem(context: PageContext, { title, text }: Problem): string {
  const { root } = context.site;
  return page(
    context,
    title,
    html`<p>${visibleText(text)}</p>
<p class="links"><a href="${root}/repo-ui">Verified contracts</a> <a href="${root}/verify-ui">Verify a contract</a></p>`,
  );
}

/** For an address that is not verified: how to change that, and what is alike. */
export function renderUnverified(
  context: PageContext,
  {
    chainId,
    address,
    isSupported,
  }: { readonly chainId: string; readonly address: string; readonly isSupported: boolean },
): string {
  const similar = `${contractHref(context, chainId, address)}/similar`;
  return page(
    context,
    'Not verified',
    html`<p>Not verified: <code>${address}</code> on ${visibleText(chainTitle(context, chainId))} (chain ${chainId}).</p>
${
  isSupported
    ? html`<p><a class="button" href="${submitHref(context, chainId, address)}">Verify source</a></p>`
    : html`<p>This server does not accept submissions for this chain.</p>`
}
<h2>Similar contracts</h2>
<div data-later="${similar}" aria-live="polite"><p><a href="${similar}">Find verified contracts with the same code</a></p></div>`,
  );
}

/** A part that another page fetches, as a page of its own. */
export function renderPart(
  context: PageContext,
  {
    title,
    chainId,
    address,
    content,
  }: {
    readonly title: string;
    readonly chainId: string;
    readonly address: string;
    readonly content: Html;
  },
): string {
  return page(
    context,
    title,
    html`<p><a href="${contractHref(context, chainId, address)}"><code>${address}</code></a> on ${visibleText(chainTitle(context, chainId))}</p>
<div data-part>${content}</div>`,
  );
}

/**
 * Contracts that are alike.
 *
 * @param matches null when the chain did not tell the code of an address that is not verified.
 */
export function renderSimilar(
  context: PageContext,
  matches: readonly NamedMatch[] | null,
  isVerified: boolean,
): Html {
  if (matches === null) {
    return html`<p><strong>The chain is not responding</strong>, so the code at this address is unknown. Try again in a minute.</p>`;
  }
  if (matches.length === 0) return html`<p>No other verified contracts with the same code.</p>`;
  return html`<p>${
    isVerified
      ? 'Their code differs only in immutable values, library addresses and metadata.'
      : 'Their code is identical to the code at this address or starts the same way, so their sources may match.'
  }</p>
${renderContractList(context, matches)}`;
}

/** One window of the newest verifications. */
interface RecentPage {
  /** Null for all chains. */
  readonly chainId: string | null;
  readonly matches: readonly NamedMatch[];
  /** Whether it begins with the newest. */
  readonly isFirst: boolean;
  /** Whether there are older ones. */
  readonly hasMore: boolean;
}

/** The newest verifications, with a search by address. */
export function renderRecent(
  context: PageContext,
  { chainId, matches, isFirst, hasMore }: RecentPage,
): string {
  const { root } = context.site;
  const path = `${root}/repo-ui${chainId === null ? '' : `/${chainId}`}`;
  const older = hasMore ? matches.at(-1) : undefined;
  const title =
    chainId === null ? 'Verified contracts' : `Verified contracts on ${chainTitle(context, chainId)}`;
  return page(
    context,
    title,
    html`${renderSearch(root, '')}
${renderChains(context, chainId)}
${
  matches.length === 0
    ? html`<p>${isFirst ? 'No verified contracts yet.' : 'No older verifications.'} <a href="${root}/verify-ui">Verify a contract</a></p>`
    : html`<p class="muted">Newest first.</p>
${renderContractList(context, matches)}`
}
<nav class="pages" aria-label="Pages">${isFirst ? html`<span></span>` : html`<a class="target" href="${path}">Newest</a>`}${older === undefined ? null : html`<a class="target" href="${path}?before=${String(older.matchId)}">Older</a>`}</nav>`,
  );
}

/** Where an address is verified. */
export function renderFound(context: PageContext, address: string, matches: readonly NamedMatch[]): string {
  return page(
    context,
    'Verified contracts',
    html`${renderSearch(context.site.root, address)}
${matches.length === 0 ? html`<p>The address <code>${address}</code> is not verified on any chain of this server. <a href="${context.site.root}/verify-ui?address=${address}">Verify source</a></p>` : renderContractList(context, matches)}`,
  );
}

function renderSearch(root: string, address: string): Html {
  return html`<form class="found" action="${root}/repo-ui" method="get"><label>Address <input name="address" value="${address}" placeholder="0x…" required pattern="0x[0-9a-fA-F]{40}" autocomplete="off" spellcheck="false"></label><button>Find</button></form>`;
}

function renderChains(context: PageContext, shown: string | null): Html | null {
  const { chains, site } = context;
  if (chains.length === 0) return null;
  const entry = (href: string, text: string, isShown: boolean) =>
    html`<a href="${href}"${isShown ? html` aria-current="page"` : null}>${visibleText(text)}</a>
`;
  return html`<nav class="links" aria-label="Chains">${entry(`${site.root}/repo-ui`, 'All chains', shown === null)}${chains
    .slice(0, MAX_CHAINS)
    .map(({ chainId }) =>
      entry(`${site.root}/repo-ui/${chainId}`, chainTitle(context, chainId), shown === chainId),
    )}</nav>`;
}
