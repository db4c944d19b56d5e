import { type Html, html } from '../../../pages/html.ts';
import type { MatchGrade } from '../../match/compiled-code.ts';

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
