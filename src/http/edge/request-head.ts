import type { IncomingMessage } from 'node:http';
import { EdgeRefusal } from './edge-refusal.ts';

/** The only expectation there is; Node itself answers it. @see RFC 9110 section 10.1.1 */
const KNOWN_EXPECTATION = '100-continue';

/** The refusal of a request whose `Host` is missing or given twice; null when it is not. @see RFC 9112 section 3.2 */
export function refusalOfHost({ httpVersion, rawHeaders }: IncomingMessage): EdgeRefusal | null {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return null;
  return new EdgeRefusal(
    400,
    hosts === 0
      ? 'The header Host is missing; HTTP/1.1 requires it'
      : 'The header Host is given more than once; send one',
  );
}

/** The refusal of a request that expects what no server does. */
export function refusalOfExpectation({ headers }: IncomingMessage): EdgeRefusal {
  const given = String(headers.expect).slice(0, 100);
  return new EdgeRefusal(
    417,
    `The header Expect: ${given} cannot be met; send ${KNOWN_EXPECTATION} or omit it`,
  );
}
