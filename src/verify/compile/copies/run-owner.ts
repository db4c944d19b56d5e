import { basename } from 'node:path';
import { isAlive } from '../../is-alive.ts';
import { pidNamespace, readProcess } from './proc-table.ts';

/** The server process that runs executables. It is never mistaken for a later one with the same number. */
interface RunOwner {
  /** Which processes see each other under the same numbers. */
  readonly namespace: string;
  readonly pid: number;
  /** Ticks since the machine started; 0 where that is not known. */
  readonly startTicks: number;
}

/** Set in the environment of every executable, to the name of its private folder. */
const RUN_VARIABLE = 'LEDGERLENS_RUN';
const FOLDER_NAME = /^ledgerlens-(\d+)-(\d+)-(\d+)-[0-9A-Za-z]{6}$/;

/** This process. */
export function thisOwner(): RunOwner {
  const { pid } = process;
  return { namespace: pidNamespace(), pid, startTicks: readProcess(pid)[0]?.startTicks ?? 0 };
}

/** How the names of the private and temporary folders of a process begin; six letters or digits follow. */
export function runFolderPrefix({ namespace, pid, startTicks }: RunOwner): string {
  return `ledgerlens-${namespace}-${pid}-${startTicks}-`;
}

/** The owner that the name of such a folder tells; null for any other name. */
export function readRunFolder(name: string): RunOwner | null {
  const [, namespace, pid, startTicks] = FOLDER_NAME.exec(name) ?? [];
  if (namespace === undefined) return null;
  return { namespace, pid: Number(pid), startTicks: Number(startTicks) };
}

/** The entry of the environment that marks a run, as name and value. */
export function runMark(folder: string): readonly [string, string] {
  return [RUN_VARIABLE, basename(folder)];
}

/** The owner that an environment names; null when it is not that of a run. */
export function ownerInEnvironment(entries: readonly string[]): RunOwner | null {
  const start = `${RUN_VARIABLE}=`;
  const entry = entries.find((each) => each.startsWith(start));
  return entry === undefined ? null : readRunFolder(entry.slice(start.length));
}

/** `unknown` when it lives among processes that cannot be seen from here, as in another container. */
export function judgeOwner(owner: RunOwner, self: RunOwner): 'living' | 'gone' | 'unknown' {
  if (owner.namespace !== self.namespace) return 'unknown';
  if (owner.startTicks !== 0) {
    const [row] = readProcess(owner.pid);
    return row !== undefined && !row.isEnded && row.startTicks === owner.startTicks ? 'living' : 'gone';
  }
  return owner.pid === self.pid || isAlive(owner.pid) ? 'living' : 'gone';
}
