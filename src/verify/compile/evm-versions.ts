import { isBefore } from '../match/version-order.ts';
import type { CompilerLanguage } from './compiler-catalog.ts';

/** Values of `settings.evmVersion` with the first solc that is known to take them; each takes all earlier ones. */
const SOLC: readonly (readonly [version: string, since: string])[] = [
  ['homestead', '0.4.21'],
  ['tangerineWhistle', '0.4.21'],
  ['spuriousDragon', '0.4.21'],
  ['byzantium', '0.4.21'],
  ['constantinople', '0.4.21'],
  ['petersburg', '0.5.17'],
  ['istanbul', '0.5.17'],
  ['berlin', '0.5.17'],
  ['london', '0.8.7'],
  ['paris', '0.8.18'],
  ['shanghai', '0.8.20'],
  ['cancun', '0.8.24'],
  ['prague', '0.8.27'],
  ['osaka', '0.8.29'],
];
/** Releases in which some of them were added, of which it is not known when. */
const UNKNOWN = { from: '0.5.0', before: '0.5.17' };

/** Every value of `settings.evmVersion`, newest first. */
export const EVM_VERSIONS: readonly string[] = SOLC.map(([version]) => version).reverse();

/** The values of `settings.evmVersion` that a compiler takes, oldest first; null where that is not known. */
export function evmVersionsOf(language: CompilerLanguage, version: string): readonly string[] | null {
  if (language !== 'solc' || isBefore(version, '0.4.21')) return null;
  if (!isBefore(version, UNKNOWN.from) && isBefore(version, UNKNOWN.before)) return null;
  return SOLC.filter(([, since]) => !isBefore(version, since)).map(([name]) => name);
}
