import type { ColouredLanguage } from './grammars.ts';

const BY_ENDING: ReadonlyMap<string, ColouredLanguage> = new Map([
  ['sol', 'solidity'],
  ['vy', 'vyper'],
  ['vyi', 'vyper'],
  ['yul', 'yul'],
  ['json', 'json'],
  ['fe', 'fe'],
]);
const BY_LANGUAGE: ReadonlyMap<string, ColouredLanguage> = new Map([
  ['Solidity', 'solidity'],
  ['Vyper', 'vyper'],
  ['Yul', 'yul'],
  ['Fe', 'fe'],
]);

/** What a file is written in: by its ending, or else as its compilation; null when neither says it. */
export function languageOf(path: string, compilationLanguage: string): ColouredLanguage | null {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return BY_ENDING.get(ending) ?? BY_LANGUAGE.get(compilationLanguage) ?? null;
}
