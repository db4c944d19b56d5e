import { parseHex } from '../../../values/hex.ts';
import { messages } from '../../protobuf/messages.ts';
import { bodyOf } from '../../protobuf/transaction-body.ts';

/** What one transaction wrote into a file. */
export interface FileWrite {
  /** True when it replaces what was there: a creation, or an update with contents. */
  readonly replaces: boolean;
  readonly contents: Uint8Array;
}

/** Reads the contents that a FILECREATE, FILEUPDATE or FILEAPPEND has in its body. */
export function readFileWrite(transaction: Uint8Array): FileWrite {
  const body = messages.TransactionBody.decode(bodyOf(transaction));
  if (body.fileCreate !== null) return { replaces: true, contents: body.fileCreate.contents };
  // An update without contents changes keys or memo only.
  if (body.fileUpdate !== null) {
    return { replaces: body.fileUpdate.contents.length > 0, contents: body.fileUpdate.contents };
  }
  return { replaces: false, contents: body.fileAppend?.contents ?? new Uint8Array() };
}

/** @param newestFirst the last writes to a file @returns null when the file was begun before them */
export function contentsOfFile(newestFirst: Iterable<FileWrite>): Uint8Array | null {
  const parts: Uint8Array[] = [];
  for (const { replaces, contents } of newestFirst) {
    parts.unshift(Uint8Array.from(contents));
    if (replaces) return new Uint8Array(Buffer.concat(parts));
  }
  return null;
}

/** The code in a file with its hex text; null when it is empty or holds anything else. */
export function creationCodeOfFile(contents: Uint8Array): Uint8Array | null {
  const code = parseHex(Buffer.from(contents).toString('latin1').trim());
  return code === null || code.length === 0 ? null : new Uint8Array(code);
}
