import type { FormBody, FormFile } from '../bodies/form-body.ts';
import { invalidParameter } from '../errors.ts';

const LINE_END = Buffer.from('\r\n');
const HEADERS_END = Buffer.from('\r\n\r\n');
/** Sources of one contract are some hundred at most. */
const MOST_PARTS = 20_000;

/**
 * Reads a multipart body.
 *
 * @param contentType the header, which names the boundary.
 * @throws VerifyRequestError `invalid_parameter`
 * @see RFC 7578 section 4, RFC 2046 section 5.1.1
 */
export function readMultipart(body: Buffer, contentType: string): FormBody {
  const boundary = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType);
  if (boundary === null)
    throw invalidParameter('The Content-Type does not name the boundary of the multipart body');
  const delimiter = Buffer.from(`--${boundary[1] ?? boundary[2]}`);
  const fields = new Map<string, unknown>();
  const files: FormFile[] = [];
  let parts = 0;
  for (const part of partsOf(body, delimiter)) {
    parts += 1;
    if (parts > MOST_PARTS)
      throw invalidParameter(`request/body must NOT have more than ${MOST_PARTS} parts`);
    const { field, name, text } = readPart(part);
    if (name === null) fields.set(field, text);
    else files.push({ field, name, text });
  }
  return { fields, files };
}

function* partsOf(body: Buffer, delimiter: Buffer): Generator<Buffer> {
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

function readPart(part: Buffer): { field: string; name: string | null; text: string } {
  const end = part.indexOf(HEADERS_END);
  if (end < 0) throw broken();
  const headers = part.subarray(0, end).toString('utf8');
  const disposition = /^content-disposition:\s*form-data\b(.*)$/im.exec(headers)?.[1] ?? '';
  const field = parameter(disposition, 'name');
  if (field === null) throw invalidParameter('A part of the multipart body has no name');
  return {
    field,
    name: parameter(disposition, 'filename'),
    text: part.subarray(end + HEADERS_END.length).toString('utf8'),
  };
}

/** Browsers write a quotation mark in a name as `%22`. */
function parameter(disposition: string, name: string): string | null {
  const found = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^\\s;]+))`, 'i').exec(disposition);
  return found === null ? null : (found[1] ?? found[2] ?? '').replaceAll('%22', '"');
}

function broken() {
  return invalidParameter('The multipart body is broken or was cut off');
}
