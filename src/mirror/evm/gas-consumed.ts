/** What every transaction costs before it runs. */
const TRANSACTION_GAS = 21_000n;
const CREATION_GAS = 32_000n;
const ZERO_BYTE_GAS = 4n;
const OTHER_BYTE_GAS = 16n;

/**
 * The gas that a transaction took before any was charged for what it left over.
 *
 * @param actionGas what the action at depth 0 used, the last one; null when no action tells it
 * @param payload the code that it deployed, else its call data
 * @returns null when it is not known
 * @see contracts/mirror-contracts.md section 11.4
 * @example gasConsumed(1_000n, Uint8Array.of(0, 1), true) // 54_020n
 */
export function gasConsumed(
  actionGas: bigint | null,
  payload: Uint8Array,
  isCreation: boolean,
): bigint | null {
  return actionGas === null ? null : actionGas + sendingGas(payload, isCreation);
}

/** The gas that a transaction takes before it runs: its first action has that much less than the limit. */
export function sendingGas(payload: Uint8Array, isCreation: boolean): bigint {
  let zeros = 0;
  for (const byte of payload) if (byte === 0) zeros++;
  const others = payload.length - zeros;
  const payloadGas = BigInt(zeros) * ZERO_BYTE_GAS + BigInt(others) * OTHER_BYTE_GAS;
  return TRANSACTION_GAS + payloadGas + (isCreation ? CREATION_GAS : 0n);
}
