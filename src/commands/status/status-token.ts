import { createStatusToken } from '../../status/index.ts';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import type { Invocation } from '../invocation.ts';

/**
 * `ledgerlens status token NAME [--read]`: the token, shown once, and its line for STATUS_TOKENS.
 *
 * @throws LedgerlensError `usage`
 */
export function makeToken(
  words: readonly string[],
  values: Invocation['values'],
  randomBytes: (count: number) => Uint8Array,
): string {
  const [name = '', ...others] = words;
  if (!/^[\w.-]{1,64}$/.test(name) || others.length > 0) {
    throw new LedgerlensError(
      'usage',
      'Name the token: status token NAME [--read], of letters, digits, ".", "_", "-"',
    );
  }
  const { text, line } = createStatusToken(name, values['read'] === true ? 'read' : 'write', randomBytes);
  if (values['json'] === true) return JSON.stringify({ token: text, entry: line }, null, 2);
  return [`token (shown only now):  ${text}`, `entry of STATUS_TOKENS:  ${line}`].join('\n');
}
