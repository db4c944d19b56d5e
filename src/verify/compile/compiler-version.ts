import type { CompilerLanguage } from './compiler-catalog.ts';

const REPORTED = /^(\d+\.\d+\.\d+)((?:-[0-9A-Za-z.]+)?)\+commit\.([0-9a-f]{8})/;
const REPORTED_BEFORE_0_4 = /^(\d+\.\d+\.\d+)-([0-9a-f]{8})\//;

const SEMVER =
  /^(?:0|[1-9]\d{0,5})(?:\.(?:0|[1-9]\d{0,5})){2}(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+){0,9})?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+){0,9})?$/;

/** The npm package of 0.1.3 reports another commit than the release it is (engine document section 2.2). */
const RELEASED_AS: Readonly<Record<string, string>> = {
  '0.1.3+commit.4457170b': '0.1.3+commit.028f561d',
};

/** What submissions have to match once blanks around are cut. */
export const VERSION_PATTERN = '^v?\\d+\\.\\d+\\.\\d+.*$';
const WHOLE_VERSION = new RegExp(VERSION_PATTERN);

/** Lowest Solidity that the engine handles. */
export const MINIMUM_SOLIDITY = '0.1.3';

/** What compilers print behind the hash of their commit: platform and C++ compiler. */
const COMMIT_AND_PLATFORM = /\+commit\.([0-9a-f]{4,40})(?:[.\s][\w.+()\s-]*)?$/i;
/** The same below 0.4.0, as in `0.3.6-3fc68da5/Release-Emscripten/clang`. */
const FORMER_COMMIT_AND_PLATFORM = /(?<=^\d+\.\d+\.\d+)-([0-9a-f]{8})\/.*$/is;
/** A release that was published on npm again. */
const NPM_BUILD = /^(\d+\.\d+\.\d+)-(?:\d{1,2}|fixed)$/;

/**
 * A version as people and compilers write it, in the form of release lists: without what stands before the first digit,
 * blanks around, the platform and the name of an npm build; builds of the CI are nightlies.
 *
 * @example ` v0.8.30+commit.73712A01.Linux.g++` → `0.8.30+commit.73712a01`
 * @see contracts/verification-engine.md section 2.2
 */
export function normaliseVersion(version: string): string {
  return version
    .replace(/^\D+/, '')
    .trimEnd()
    .replace(FORMER_COMMIT_AND_PLATFORM, '+commit.$1')
    .replace(COMMIT_AND_PLATFORM, (_, hash: string) => `+commit.${hash.toLowerCase()}`)
    .replace(NPM_BUILD, '$1')
    .replace('-ci.', '-nightly.');
}

/** True for a text that `normaliseVersion` can read. @see contracts/verification-api.md section 3.3 */
export function isVersionText(text: string): boolean {
  return WHOLE_VERSION.test(text.trim());
}

/** True for `0.8.30`: three numbers and nothing else. */
export function isShortVersion(version: string): boolean {
  return /^\d+\.\d+\.\d+$/.test(version);
}

/** The three numbers at the start of a version. */
export function releaseOf(version: string): string {
  return /^\d+\.\d+\.\d+/.exec(version)?.[0] ?? version;
}

/**
 * What builds of one version with different commits have in common: a release that was tagged anew, or one that a
 * distribution built.
 *
 * @example `0.8.30+commit.00000000` → `0.8.30`
 * @returns null when the version names no commit.
 */
export function siblingBuildVersion(version: string): string | null {
  return /^(\d+\.\d+\.\d+[^+]*)\+commit\.[0-9a-f]{4,40}$/.exec(version)?.[1] ?? null;
}

/**
 * True when a build is the wanted one: the same version, with a commit of seven digits or more alike as far as both go, or
 * the one that a version without commit means.
 *
 * @example `0.8.30+commit.73712a01` is a build of `0.8.30`, but `0.8.30-nightly.2025.5.7+commit.…` is not.
 */
export function isBuildOf(version: string, wanted: string): boolean {
  if (!wanted.includes('+')) return version.split('+', 1)[0] === wanted;
  return version === wanted || (version.includes('+') && isSameVersion(version, wanted));
}

/**
 * The semver that a Vyper version is ordered by: `0.4.1b1+commit.039d3692` → `0.4.1+commit.039d3692`.
 *
 * @returns null when the text is neither semver nor has such an `a`, `b` or `rc` suffix (`invalid_compiler_version`).
 * @see contracts/verification-engine.md section 4.2
 */
export function vyperSemver(version: string): string | null {
  const plain = version.replace(/^(\d+\.\d+\.\d+)(?:a|b|rc)\d+/, '$1');
  return SEMVER.test(plain) ? plain : null;
}

/** Lowest Fe that the engine handles: the first that prints the ABI. */
export const MINIMUM_FE = '26.0.0-alpha.12';

/**
 * Whether a Fe version can be used.
 *
 * @returns `invalid` when the text is no semver.
 * @see contracts/verification-engine.md section 5
 */
export function judgeFeVersion(version: string): 'supported' | 'unsupported' | 'invalid' {
  if (!SEMVER.test(version)) return 'invalid';
  return compareSemver(version, MINIMUM_FE) < 0 ? 'unsupported' : 'supported';
}

/** Orders two semver texts by their precedence; build metadata does not count. */
function compareSemver(left: string, right: string): number {
  const [leftCore = '', leftEnd] = splitOnce(left.split('+', 1)[0] ?? '');
  const [rightCore = '', rightEnd] = splitOnce(right.split('+', 1)[0] ?? '');
  const byCore = compareParts(leftCore.split('.'), rightCore.split('.'));
  if (byCore !== 0 || leftEnd === rightEnd) return byCore;
  if (leftEnd === undefined) return 1;
  if (rightEnd === undefined) return -1;
  return compareParts(leftEnd.split('.'), rightEnd.split('.'));
}

/** Separates the three numbers from the pre-release, which may hold further dashes. */
function splitOnce(version: string): readonly string[] {
  const dash = version.indexOf('-');
  return dash < 0 ? [version] : [version.slice(0, dash), version.slice(dash + 1)];
}

function compareParts(left: readonly string[], right: readonly string[]): number {
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const [a = '', b = ''] = [left[index], right[index]];
    const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
    if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
    if (isNumberA && BigInt(a) !== BigInt(b)) return BigInt(a) < BigInt(b) ? -1 : 1;
    if (!isNumberA && a !== b) return a < b ? -1 : 1;
  }
  return left.length - right.length;
}

/**
 * Turns what a soljson says about itself into the released version text.
 *
 * @example `0.8.30+commit.73712a01.Emscripten.clang` → `0.8.30+commit.73712a01`
 * @returns null when the text has an unknown form.
 */
export function readReportedVersion(reported: string): string | null {
  const match = REPORTED.exec(reported);
  const old = REPORTED_BEFORE_0_4.exec(reported);
  if (match !== null) return released(`${match[1]}${match[2]}+commit.${match[3]}`);
  return old === null ? null : released(`${old[1]}+commit.${old[2]}`);
}

function released(version: string): string {
  return RELEASED_AS[version] ?? version;
}

/** What a compiler says about itself, cut to the version where its form is known. */
export type ReportedVersion = string;

const MAX_SHOWN_LENGTH = 100;

/**
 * Finds the version in what a compiler prints about itself.
 *
 * @example `Version: 0.8.30+commit.73712a01.Linux.g++` → `0.8.30+commit.73712a01`; `fe 26.0.0` → `26.0.0`
 */
export function readPrintedVersion(language: CompilerLanguage, printed: string): ReportedVersion {
  const begin = printed.search(/\d+\.\d+\.\d+/);
  const text = begin < 0 ? printed.trim() : printed.slice(begin);
  const version = /^\d+\.\d+\.\d+[0-9A-Za-z.+-]*/.exec(text)?.[0] ?? text.slice(0, MAX_SHOWN_LENGTH);
  return language === 'solc' ? (readReportedVersion(text) ?? version) : version;
}

/** Vyper prints as many digits of the commit as were needed when it was built, releases have eight. */
const MIN_COMMIT_DIGITS = 7;
const COMMIT = /^[0-9a-f]{1,40}$/;

/** True when a compiler that reports `reported` may stand for `version`; a version without commit means any. */
export function isSameVersion(reported: ReportedVersion, version: string): boolean {
  const [release, commit] = version.split('+commit.');
  const [reportedRelease, reportedCommit] = reported.split('+commit.');
  if (release !== reportedRelease) return false;
  if (commit === undefined || reportedCommit === undefined || commit === reportedCommit) return true;
  const digits = Math.min(commit.length, reportedCommit.length);
  if (digits < MIN_COMMIT_DIGITS || !COMMIT.test(commit) || !COMMIT.test(reportedCommit)) return false;
  return commit.slice(0, digits) === reportedCommit.slice(0, digits);
}
