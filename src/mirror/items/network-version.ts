/** The version of the network's API that made a unit. */
export interface NetworkVersion {
  /** False when it is unknown: whatever has no version is as the newest. */
  isBefore(major: number, minor: number): boolean;
}

const VERSION = /^(\d+)\.(\d+)\./;

/** @param text as in the header of a unit, for example `0.66.0` */
export function networkVersion(text: string | null): NetworkVersion {
  const [, told, minorTold] = VERSION.exec(text ?? '') ?? [];
  return {
    isBefore: (major, minor) =>
      told !== undefined && (Number(told) < major || (Number(told) === major && Number(minorTold) < minor)),
  };
}
