const told = new Set<string>();

/**
 * For `skipIf`: whether tests are left out, printing why, once in each file.
 *
 * @param reason begins with `skipped:`; null when they run.
 */
export function isLeftOut(reason: string | null): boolean {
  if (reason !== null && !told.has(reason)) {
    told.add(reason);
    console.warn(reason);
  }
  return reason !== null;
}

/** Why tests of what only Linux has are left out; null on Linux. */
export const notLinux: string | null =
  process.platform === 'linux' ? null : `skipped: only Linux has it, this is ${process.platform}`;

/** Why a really full disk cannot be tried. */
export const NO_SMALL_DISK = 'skipped: no small file system can be mounted here';
/** Why the time of a thread cannot be judged. */
export const NO_THREAD_TIME = 'skipped: this system does not tell the time of a thread';
/** Why the memory of a process cannot be judged. */
export const NO_MEMORY = 'skipped: this system does not tell the memory of a process';
/** Why `.ci/run` leaves something out that takes long; null where everything runs. */
export const LEFT_TO_WORKFLOW: string | null =
  process.env['TEST_SET'] === 'short' ? 'skipped: the workflow runs it, with TEST_SET unset' : null;
