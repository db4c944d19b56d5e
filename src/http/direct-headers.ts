/** The headers of a request that a direct answer depends on; undefined when not sent. */
export type DirectHeaders = {
  'accept-encoding': string | undefined;
  'if-none-match': string | undefined;
  traceparent: string | undefined;
  'x-request-id': string | undefined;
};

/** Lengths of the names, the two of a body included: most headers are passed over by theirs alone. */
const LENGTHS: ReadonlySet<number> = new Set(
  [
    'accept-encoding',
    'if-none-match',
    'traceparent',
    'x-request-id',
    'content-length',
    'transfer-encoding',
  ].map(({ length }) => length),
);

/**
 * Reads them from the headers as they came, which spares Node from sorting all headers into an object.
 *
 * @param raw names and values in turn, as `IncomingMessage.rawHeaders`.
 * @returns null when there is a body or one of the headers comes twice: no usual request.
 */
export function readDirectHeaders(raw: readonly string[]): DirectHeaders | null {
  const found: DirectHeaders = {
    'accept-encoding': undefined,
    'if-none-match': undefined,
    traceparent: undefined,
    'x-request-id': undefined,
  };
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const sent = raw[index] ?? '';
    if (!LENGTHS.has(sent.length)) continue;
    const name = sent.toLowerCase();
    if (name === 'content-length' || name === 'transfer-encoding') return null;
    if (!isDirectHeader(name)) continue;
    if (found[name] !== undefined) return null;
    found[name] = raw[index + 1];
  }
  return found;
}

function isDirectHeader(name: string): name is keyof DirectHeaders {
  return (
    name === 'accept-encoding' ||
    name === 'if-none-match' ||
    name === 'traceparent' ||
    name === 'x-request-id'
  );
}
