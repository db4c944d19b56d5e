const VYPER_PRERELEASE = /^(\d+\.\d+\.\d+)(?:a|b|rc)\d+/;

/**
 * Compares the three numbers of two compiler versions; everything after them is ignored.
 *
 * `0.4.1b1+commit.039d3692` counts as 0.4.1.
 *
 * @returns negative, zero or positive as for `Array.sort`; versions without three numbers count as 0.0.0.
 * @see contracts/verification-engine.md section 4.2
 */
function compareVersions(left: string, right: string): number {
  const [leftParts, rightParts] = [versionNumbers(left), versionNumbers(right)];
  for (let index = 0; index < 3; index++) {
    const difference = (leftParts[index] ?? 0) - (rightParts[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** True when `version` is lower than `limit`. */
export function isBefore(version: string, limit: string): boolean {
  return compareVersions(version, limit) < 0;
}

function versionNumbers(version: string): readonly number[] {
  const plain = VYPER_PRERELEASE.exec(version)?.[1] ?? version;
  return (/^(\d+)\.(\d+)\.(\d+)/.exec(plain) ?? []).slice(1).map(Number);
}
