import hashWasm from 'hash-wasm/dist/keccak.umd.min.js';

const hasher = await hashWasm.createKeccak(256);

/**
 * Keccak-256 as Ethereum uses it, with the padding from before SHA-3.
 *
 * @returns 32 bytes of their own
 */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return hasher.init().update(bytes).digest('binary');
}

/** The same of bytes that come in pieces; several may be open at once. */
export function startKeccak256(): { update(bytes: Uint8Array): void; digest(): Uint8Array } {
  let state = hasher.init().save();
  return {
    update(bytes) {
      state = hasher.load(state).update(bytes).save();
    },
    digest: () => hasher.load(state).digest('binary'),
  };
}
