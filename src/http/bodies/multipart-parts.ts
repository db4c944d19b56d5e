import { LedgerlensError } from '../../values/ledgerlens-error.ts';

/** One part of a multipart form. */
interface MultipartPart {
  readonly field: string;
  /** Null for a part that is no file. */
  readonly fileName: string | null;
  readonly bytes: Buffer;
}

/** A multipart body that cannot be read; the message tells clients why. */
export class MultipartError extends LedgerlensError {
  constructor(message: string) {
    super('malformed_multipart', message);
  }
}

const LINE_END = Buffer.from('\r\n');
const HEADERS_END = Buffer.from('\r\n\r\n');

/**
 * The parts of a multipart form, in the order of the body.
 *
 * @param contentType the header, which names the boundary.
 * @throws MultipartError
 * @see RFC 7578 section 4, RFC 2046 section 5.1.1
 */
export function* multipartParts(body: Buffer, contentType: string): Generator<MultipartPart> {
  const boundary = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType);
  if (boundary === null)
    throw new MultipartError('The Content-Type does not name the boundary of the multipart body');
  for (const part of split(body, Buffer.from(`--${boundary[1] ?? boundary[2]}`))) yield readPart(part);
}

function* split(body: Buffer, delimiter: Buffer): Generator<Buffer> {
  let start = body.indexOf(delimiter);
  if (start < 0) throw broken();
  const next = Buffer.concat([LINE_END, delimiter]);
  for (;;) {
    const afterDelimiter = start + delimiter.length;
    if (body.subarray(afterDelimiter, afterDelimiter + 2).toString('latin1') === '--') return;
    const lineEnd = body.indexOf(LINE_END, afterDelimiter);
    const end = lineEnd < 0 ? -1 : body.indexOf(next, lineEnd);
    if (end < 0) throw broken();
    yield body.subarray(lineEnd + LINE_END.length, end);
    start = end + LINE_END.length;
  }
}

function readPart(part: Buffer): MultipartPart {
  const end = part.indexOf(HEADERS_END);
  if (end < 0) throw broken();
  const headers = part.subarray(0, end).toString('utf8');
  const disposition = /^content-disposition:\s*form-data\b(.*)$/im.exec(headers)?.[1] ?? '';
  const field = parameter(disposition, 'name');
  if (field === null) throw new MultipartError('A part of the multipart body has no name');
  return {
    field,
    fileName: parameter(disposition, 'filename'),
    bytes: part.subarray(end + HEADERS_END.length),
  };
}

/** Browsers write a quotation mark in a name as `%22`. */
function parameter(disposition: string, name: string): string | null {
  const found = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^\\s;]+))`, 'i').exec(disposition);
  return found === null ? null : (found[1] ?? found[2] ?? '').replaceAll('%22', '"');
}

function broken() {
  return new MultipartError('The multipart body is malformed or was cut off');
}
