import { type FixtureObject, hex } from './fixture-members.ts';

const EVM_ADDRESS_BYTES = 20;
const LONG_ZERO_PREFIX = '000000000000000000000000';

/** The address made of the number is no address of its own. */
export function evmAddress(row: FixtureObject): Uint8Array | null {
  const bytes = hex(row, 'evm_address', EVM_ADDRESS_BYTES);
  if (bytes === null || Buffer.from(bytes).toString('hex').startsWith(LONG_ZERO_PREFIX)) return null;
  return bytes;
}
