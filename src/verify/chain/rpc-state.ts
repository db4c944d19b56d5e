import { type Hex, parseHex } from '../../values/hex.ts';
import { ChainUnavailableError } from './contract-code-source.ts';
import { hostOf, type JsonRpcClient } from './json-rpc-client.ts';
import { EndpointFault, RpcRefusal } from './json-rpc-endpoint.ts';

const SLOT_BYTES = 32;
/** Nodes have no common code for "the contract itself failed"; a busy node says something else. */
const FAILED_IN_CONTRACT =
  /revert|invalid opcode|invalid jump|stack (?:under|over)flow|out of gas|gas required/i;

/** Where the present state of contracts is read. Not every chain has one: a ledger's code comes without it. */
export type ContractStateSource = ReturnType<typeof createRpcState>;

/** Reads the state of contracts through JSON-RPC. */
export function createRpcState(rpc: JsonRpcClient) {
  return {
    /**
     * One storage slot of a contract, 32 bytes.
     *
     * @param slot 32 bytes as hex with 0x.
     * @throws ChainUnavailableError when the source cannot tell; an AbortError when `signal` fires.
     */
    async storageAt(address: Hex, slot: Hex, signal: AbortSignal): Promise<Uint8Array> {
      const value = await rpc.call('eth_getStorageAt', [address, slot, 'latest'], signal);
      const bytes = readPadded(value);
      if (bytes === null)
        throw new ChainUnavailableError('eth_getStorageAt', ['the response is not a storage slot']);
      return bytes;
    },
    /**
     * Calls a contract without a transaction.
     *
     * @returns null when the call failed in the contract.
     * @throws ChainUnavailableError when the source cannot tell; an AbortError when `signal` fires.
     */
    async call(address: Hex, data: Hex, signal: AbortSignal): Promise<Uint8Array | null> {
      const reasons: string[] = [];
      for (const endpoint of rpc.endpoints) {
        try {
          const value = await rpc.callOne(endpoint, 'eth_call', [{ to: address, data }, 'latest'], signal);
          const bytes = typeof value === 'string' && value.startsWith('0x') ? parseHex(value) : null;
          if (bytes !== null) return bytes;
          reasons.push(`${hostOf(endpoint.url)}: the response is not hex text`);
        } catch (error) {
          signal.throwIfAborted();
          if (!(error instanceof RpcRefusal) && !(error instanceof EndpointFault)) throw error;
          if (error instanceof RpcRefusal && FAILED_IN_CONTRACT.test(error.message)) return null;
          reasons.push(`${hostOf(endpoint.url)}: ${error.message}`);
        }
      }
      throw new ChainUnavailableError('eth_call', reasons);
    },
  };
}

/** Some nodes leave leading zeros out. */
function readPadded(value: unknown): Uint8Array | null {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(value)) return null;
  return parseHex(value.slice(2).padStart(2 * SLOT_BYTES, '0'));
}
