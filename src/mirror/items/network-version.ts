/** The version of the network's API that made a unit. */
export interface NetworkVersion {
  /** False when it is unknown: whatever has no version is as the newest. */
  isBefore(major: number, minor: number): boolean;
}

const VERSION = /^(\d+)\.(\d+)\./;

/** First version of record files that name it in three numbers: files before are older than every rule. */
const FIRST_FULL_VERSION = 5;
const OLDEST = '0.0.0';

/** What the header of a unit tells of the API, or its format does; null where neither does. */
export function apiVersionOf({
  hapiVersion,
  kind,
  version,
}: {
  readonly hapiVersion: string | null;
  readonly kind: string;
  readonly version: number;
}): string | null {
  const isOldFile = kind !== 'fixture' && version > 0 && version < FIRST_FULL_VERSION;
  return hapiVersion ?? (isOldFile ? OLDEST : null);
}

/** @param text of three numbers, for example `0.66.0` */
export function networkVersion(text: string | null): NetworkVersion {
  const [, told, minorTold] = VERSION.exec(text ?? '') ?? [];
  return {
    isBefore: (major, minor) =>
      told !== undefined && (Number(told) < major || (Number(told) === major && Number(minorTold) < minor)),
  };
}
