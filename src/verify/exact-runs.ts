import { isJsonObject } from './json-object.ts';
import type { StandardJson } from './standard-json.ts';

/** `runs` of the optimizer above 2^53 - 1, which no number of JavaScript holds: a text of its digits stands for it. */
const LARGE_RUNS = /"runs"(?<=[{,]\s*"runs")(\s*:\s*)([1-9]\d{15,19})(?=\s*[,}])/g;

/**
 * Puts quotes around large `runs` in JSON text, so that they are not rounded when it is parsed.
 *
 * @see contracts/verification-engine.md section 2.1
 */
export function quoteLargeRuns(text: string): string {
  if (!text.includes('"runs"')) return text;
  return text.replace(LARGE_RUNS, (all, colon: string, digits: string) => {
    return typeof exactRuns(digits) === 'number' ? all : `"runs"${colon}"${digits}"`;
  });
}

/** A whole number as inputs hold it: a text when it is too large for a number. */
export function exactRuns(digits: string): number | string {
  const runs = Number(digits);
  return Number.isSafeInteger(runs) ? runs : String(BigInt(digits));
}

/** The text of an input for a compiler of Solidity, with its `runs` as a number. */
export function printInput(input: StandardJson): string {
  const text = JSON.stringify(input);
  const runs = largeRunsOf(input.settings);
  // In the text of a source the quotes are escaped.
  return runs === null ? text : text.replace(`"runs":"${runs}"`, `"runs":${runs}`);
}

/** The digits that stand for large `runs`; null for what is a number, or no number at all. */
export function largeRunsOf(settings: unknown): string | null {
  const optimizer = isJsonObject(settings) ? settings['optimizer'] : null;
  const runs = isJsonObject(optimizer) ? optimizer['runs'] : null;
  return typeof runs === 'string' && /^\d{16,20}$/.test(runs) && exactRuns(runs) === runs ? runs : null;
}
