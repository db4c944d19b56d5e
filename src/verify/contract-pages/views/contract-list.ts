import { type Html, html } from '../../../pages/html.ts';
import { checksumAddress } from '../../address.ts';
import { printApiTime } from '../../api-time.ts';
import type { NamedMatch } from '../../contracts/contract-repository.ts';
import { overallMatch } from '../../match/compiled-code.ts';
import { chainTitle, contractHref, type PageContext } from '../page-context.ts';
import { visibleText } from '../visible-text.ts';
import { gradeMark } from './grade-words.ts';

/** Verified contracts, one below the other. */
export function renderContractList(context: PageContext, matches: readonly NamedMatch[]): Html {
  return html`<ul class="plain contracts">
${matches.map((match) => renderMatch(context, match))}</ul>`;
}

function renderMatch(context: PageContext, match: NamedMatch): Html {
  const { chainId, name, language, compilerVersion, verifiedAt } = match;
  const address = checksumAddress(match.address);
  const time = printApiTime(verifiedAt);
  return html`<li><p class="line"><a href="${contractHref(context, chainId, address)}"><strong>${visibleText(name || '(no name)')}</strong></a>${gradeMark(overallMatch(match.creation, match.runtime))}</p>
<p><code>${address}</code></p>
<p class="small muted">${visibleText(chainTitle(context, chainId))} · ${language} ${compilerVersion} · <time datetime="${time}">${printedTime(time)}</time></p></li>
`;
}

/** `2026-11-20 10:15:02 UTC` */
export function printedTime(time: string): string {
  return `${time.replace('T', ' ').replace('Z', '')} UTC`;
}
