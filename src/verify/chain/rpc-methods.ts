import { isJsonObject } from '../json-object.ts';

/** What is accepted as the answer of a method. */
export interface RpcMethod {
  /** Largest answer that is read, bytes after decompression. */
  readonly maxBytes: number;
  /** Whether a result other than null has the form that the method promises. */
  readonly isResult: (result: unknown) => boolean;
}

const KIB = 1024;
const MIB = 1024 * KIB;

const isQuantity = (result: unknown): boolean =>
  typeof result === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(result);
const isBytes = (result: unknown): boolean =>
  typeof result === 'string' && result.length % 2 === 0 && /^0x[0-9a-fA-F]*$/.test(result);
const isTrace = (result: unknown): boolean => isJsonObject(result) || Array.isArray(result);

/** Code is limited to 24 KiB on most chains and to a few times that on others; two digits a byte. */
const BYTES: RpcMethod = { maxBytes: 4 * MIB, isResult: isBytes };
const QUANTITY: RpcMethod = { maxBytes: 64 * KIB, isResult: isQuantity };
const TRACE: RpcMethod = { maxBytes: 32 * MIB, isResult: isTrace };

const METHODS: Readonly<Record<string, RpcMethod>> = {
  eth_chainId: QUANTITY,
  eth_blockNumber: QUANTITY,
  eth_getCode: BYTES,
  eth_getStorageAt: QUANTITY,
  eth_call: BYTES,
  eth_getLogs: { maxBytes: 16 * MIB, isResult: Array.isArray },
  eth_getTransactionByHash: { maxBytes: 8 * MIB, isResult: isJsonObject },
  eth_getTransactionReceipt: { maxBytes: 16 * MIB, isResult: isJsonObject },
  eth_getBlockByNumber: { maxBytes: 32 * MIB, isResult: isJsonObject },
  trace_transaction: TRACE,
  trace_block: TRACE,
  debug_traceTransaction: TRACE,
  debug_traceBlockByNumber: TRACE,
};

const OTHER: RpcMethod = { maxBytes: 4 * MIB, isResult: () => true };

/** Size and form of the answers of a JSON-RPC method. @see contracts/verification-engine.md section 10.3 */
export function rpcMethod(name: string): RpcMethod {
  return METHODS[name] ?? OTHER;
}
