import { multipartParts } from '../../../http/bodies/multipart-parts.ts';
import { withoutEnding } from '../../../values/without-ending.ts';
import { parseTransactionText } from '../../fees/decode/decode-transaction.ts';

/** What the form of the fee calculator sent. */
export interface FeeFormBody {
  /** What was pasted; empty when a file is given. */
  readonly text: string;
  /** Null when none was chosen. */
  readonly file: { readonly name: string; readonly bytes: Uint8Array } | null;
  readonly mode: string;
  /** Empty: those that are there. */
  readonly signatures: string;
  /** Utilization of the high-volume throttle, basis points. Empty: 0. */
  readonly throttle: string;
}

const MAX_PARTS = 20;

/** Reads a form as browsers send it. @throws MultipartError */
export function readFeeForm(body: Buffer, contentType: string): FeeFormBody {
  const fields = new Map<string, string>();
  let file: FeeFormBody['file'] = null;
  if (/^multipart\/form-data\b/i.test(contentType)) {
    let parts = 0;
    for (const { bytes, field, fileName } of multipartParts(body, contentType)) {
      parts += 1;
      if (parts > MAX_PARTS) break;
      if (fileName === null) fields.set(field, bytes.toString('utf8'));
      // Without a chosen file browsers send an empty one.
      else if (bytes.length > 0) file = { name: fileName, bytes };
    }
  } else {
    for (const [name, value] of new URLSearchParams(body.toString('utf8'))) fields.set(name, value);
  }
  const field = (name: string) => fields.get(name) ?? '';
  return {
    text: field('transaction'),
    file,
    mode: field('mode'),
    signatures: field('signatures').trim(),
    throttle: field('high_volume_throttle').trim(),
  };
}

/** The bytes of a transaction, or what is wrong with the text that should hold them. */
type TransactionBytes = { readonly bytes: Uint8Array } | { readonly fault: string };

const SHOWN = 20;

/** The bytes that a form gives: a file counts before a text, and a file of text as if it were pasted. */
export function transactionBytes({ file, text }: FeeFormBody): TransactionBytes {
  if (file !== null && !looksLikeText(file.bytes)) return { bytes: file.bytes };
  const given = file === null ? text : Buffer.from(file.bytes).toString('latin1');
  const dense = given.replace(/\s+/g, '');
  if (dense === '') return { fault: 'The input is empty: paste a transaction, or choose a file.' };
  const foreign = /[^\dA-Za-z+/_=-]/u.exec(dense);
  if (foreign !== null) {
    const json = dense.startsWith('{') ? ' A transaction in JSON cannot be estimated: paste its bytes.' : '';
    return {
      fault: `Character ${[...dense.slice(0, foreign.index)].length + 1}, “${foreign[0]}”, is neither hexadecimal nor base64.${json}`,
    };
  }
  const hex = /^0x([\dA-Fa-f]*)/.exec(dense);
  if (hex !== null && hex[0].length < dense.length) {
    const wrong = dense.slice(hex[0].length, hex[0].length + SHOWN);
    return { fault: `Only hexadecimal digits may follow 0x; found “${wrong}”.` };
  }
  if (hex !== null && dense.length % 2 === 1) {
    return {
      fault: `There are ${dense.length - 2} hexadecimal digits, an odd number.`,
    };
  }
  const bytes = parseTransactionText(dense);
  if (bytes === null || withoutEnding(dense, '=').length % 4 === 1) {
    return { fault: 'The base64 text is truncated, or has an equals sign before its end.' };
  }
  return { bytes };
}

/** A serialized transaction has bytes that no such text has. */
function looksLikeText(bytes: Uint8Array): boolean {
  return bytes.every((byte) => (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d));
}
