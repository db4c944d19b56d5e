import { trimmed } from '../../src/mirror/evm/bytes.ts';
import { sendingGas } from '../../src/mirror/evm/gas-consumed.ts';
import type { MessageObject } from '../../src/mirror/protobuf/messages.ts';
import { keccak256 } from '../../src/values/keccak256.ts';
import type { IdOf } from './script-context.ts';
import type { RandomSource } from './seeded-random.ts';

/** What a sidecar tells of the run of a transaction. */
export interface WrittenTrace {
  /** `ContractAction` messages. */
  readonly actions: readonly MessageObject[];
  /** `ContractStateChange` messages. */
  readonly stateChanges: readonly MessageObject[];
}

/** A call as its trace tells it; entities are numbers. */
export interface TracedCall {
  readonly sender: bigint;
  readonly contract: bigint;
  /** Limit of the transaction. */
  readonly gas: bigint;
  readonly amount: bigint;
  readonly input: Uint8Array;
  /** Null when it reverted. */
  readonly output: Uint8Array | null;
  /** What the contract calls. */
  readonly inner?: readonly MessageObject[];
  /** Its `StorageChange`s. Default: drawn. */
  readonly storage?: readonly MessageObject[];
}

/** Traces calls of contracts whose storage goes on from one to the next; null where nobody keeps traces. */
export type TraceCall = (call: TracedCall) => WrittenTrace | null;

/** Of the enumerations ContractActionType and CallOperationType. */
const [CALL_TYPE, SYSTEM_TYPE, CALL_OPERATION] = [1, 4, 1];
/** Slots of a contract that are used: the first ones, and entries of a mapping. */
const [PLAIN_SLOTS, MAPPED_SLOTS] = [4, 12];
const MAX_SLOTS = 5;
const WORD = 32;

/** Draws from a randomness of its own, so that a ledger has the same transactions with traces and without. */
export function createTraces(
  random: RandomSource,
  { account, contract }: { readonly account: IdOf; readonly contract: IdOf },
): TraceCall {
  const storage = new Map<string, Uint8Array>();

  /** The `StorageChange`s of a run; one that reverts leaves everything as it was. */
  const storageChanges = (num: bigint, isReverted: boolean): readonly MessageObject[] => {
    const slots = new Set(Array.from({ length: 1 + random.below(MAX_SLOTS) }, () => drawnSlot(random)));
    return [...slots].map((slot) => {
      const key = `${num}/${slot}`;
      const valueRead = storage.get(key) ?? new Uint8Array();
      const change = { slot: Buffer.from(slot, 'hex'), valueRead };
      if (isReverted || random.below(2) === 0) return change;
      const value = trimmed(random.bytes(random.below(WORD + 1)));
      storage.set(key, value);
      return { ...change, valueWritten: { value } };
    });
  };

  return ({ amount, contract: num, gas: limit, inner = [], input, output, sender, storage: given }) => {
    const gas = limit - sendingGas(input, false);
    return {
      actions: [
        {
          ...{
            callType: CALL_TYPE,
            callOperationType: CALL_OPERATION,
            callDepth: 0,
            gas,
            value: amount,
            input,
          },
          callingAccount: account(sender),
          recipientContract: contract(num),
          gasUsed: gas / 2n + BigInt(random.below(1_000)),
          ...(output === null ? { revertReason: random.bytes(WORD) } : { output }),
        },
        ...inner.map((each) => ({
          callOperationType: CALL_OPERATION,
          callDepth: 1,
          callingContract: contract(num),
          ...each,
        })),
      ],
      stateChanges: [
        { contractId: contract(num), storageChanges: given ?? storageChanges(num, output === null) },
      ],
    };
  };
}

/** An action in which a contract pays an account. */
export function payment(recipientAccount: MessageObject, value: bigint, gas: bigint): MessageObject {
  return { callType: CALL_TYPE, recipientAccount, value, gas, gasUsed: gas, output: new Uint8Array() };
}

/** An action in which a contract calls one of the network's own. */
export function systemCall(
  recipientContract: MessageObject,
  input: Uint8Array,
  output: Uint8Array,
  gas: { readonly gas: bigint; readonly gasUsed: bigint },
): MessageObject {
  return { callType: SYSTEM_TYPE, recipientContract, input, ...gas, output };
}

/** Without zeros in front, as hex digits. */
function drawnSlot(random: RandomSource): string {
  const drawn = random.below(PLAIN_SLOTS + MAPPED_SLOTS);
  const slot = drawn < PLAIN_SLOTS ? Uint8Array.of(drawn) : keccak256(Uint8Array.of(drawn));
  return Buffer.from(trimmed(slot)).toString('hex');
}
