import { type Html, html } from '../../../pages/html.ts';
import { checksumAddress } from '../../address.ts';
import { printApiTime } from '../../api-time.ts';
import type { NamedMatch } from '../../contracts/contract-repository.sql.ts';
import { type MatchGrade, overallMatch } from '../../match/compiled-code.ts';
import { chainTitle, contractHref, type PageContext } from '../page-context.ts';
import { visibleText } from '../visible-text.ts';

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

const NAMES: Readonly<Record<MatchGrade, string>> = { exact_match: 'Exact match', match: 'Match' };
const STATES: Readonly<Record<MatchGrade, string>> = { exact_match: 'operational', match: 'maintenance' };

/** A grade as a mark with its colour. */
export function gradeMark(grade: MatchGrade | null): Html {
  if (grade === null) return html`<span class="mark is-no-data">Not matched</span>`;
  return html`<span class="mark is-${STATES[grade]}">${NAMES[grade]}</span>`;
}

/** The class that gives the colour of a grade. */
export function gradeClass(grade: MatchGrade): string {
  return `is-${STATES[grade]}`;
}

/** What the better of both grades means. */
export function gradeMeaning(grade: MatchGrade): string {
  return grade === 'exact_match'
    ? 'These sources compile to exactly the on-chain bytecode, including the metadata hash: they are the original files, down to comments.'
    : 'These sources compile to bytecode with the same behaviour as on chain. The metadata hash differs or is missing, so comments, names and file paths may not be the original ones.';
}

/** What was compared with the chain, and how it ended. */
export function sideMeaning(side: 'creation' | 'runtime', grade: MatchGrade | null): string {
  if (grade !== null) {
    return side === 'creation' ? 'the code sent by the deployment transaction' : 'the code at the address';
  }
  return side === 'creation'
    ? 'the deployment transaction is unknown or sent different code'
    : 'the code at the address differs from what these sources compile to';
}
