const REPORTED = /^(\d+\.\d+\.\d+)((?:-[0-9A-Za-z.]+)?)\+commit\.([0-9a-f]{8})/;
const REPORTED_BEFORE_0_4 = /^(\d+\.\d+\.\d+)-([0-9a-f]{8})\//;

/** The npm package of 0.1.3 reports another commit than the release it is (engine document section 2.2). */
const RELEASED_AS: Readonly<Record<string, string>> = {
  '0.1.3+commit.4457170b': '0.1.3+commit.028f561d',
};

/** Lowest Solidity that the engine handles. */
export const MINIMUM_SOLIDITY = '0.1.3';

/** Removes what stands before the first digit and names nightly builds of the CI as nightlies. */
export function normaliseVersion(version: string): string {
  return version.replace(/^\D+/, '').replace('-ci.', '-nightly.');
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
