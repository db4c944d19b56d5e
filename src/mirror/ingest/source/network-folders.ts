/** A folder at the top of a bucket that holds the blocks of a network since one of its resets. */
export interface NetworkFolder {
  /** With a slash at its end. */
  readonly folder: string;
  /** When the network began anew, as 14 digits; empty for a network that never does. */
  readonly since: string;
}

/** A network, and when it began: twelve digits, or an instant. */
const NETWORK =
  /^(?<network>[a-z][a-z\d]*(?:-[a-z][a-z\d]*)*)(?:-(?<year>\d{4})-?(?<month>\d\d)-?(?<day>\d\d)T?(?<hour>\d\d)[:_-]?(?<minute>\d\d)(?:[:_-]?(?<second>\d\d)(?:\.\d+)?)?Z?)?$/;

/** The folders that networks may have, the newest first; other names are ignored. */
export function networkFolders(names: readonly string[]): readonly NetworkFolder[] {
  return names
    .flatMap((name) => {
      const groups = NETWORK.exec(name)?.groups;
      if (groups === undefined) return [];
      const { day = '', hour = '', minute = '', month = '', second = '00', year } = groups;
      const since = year === undefined ? '' : `${year}${month}${day}${hour}${minute}${second}`;
      return [{ folder: `${name}/`, since }];
    })
    .sort((left, right) => (left.since === right.since ? 0 : left.since < right.since ? 1 : -1));
}
