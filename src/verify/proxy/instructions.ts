/** One instruction of EVM code. */
export interface Instruction {
  readonly opcode: number;
  /** What a PUSH holds, as long as the code goes; empty for everything else. */
  readonly data: Uint8Array;
  /** False after an instruction that never continues, until the next jump target: often data, not code. */
  readonly isReachable: boolean;
}

export const CALL = { CREATE: 0xf0, DELEGATECALL: 0xf4, CREATE2: 0xf5 } as const;
export const GAS = 0x5a;
export const SLOAD = 0x54;
export const ADDRESS = 0x30;

const PUSH1 = 0x60;
const PUSH32 = 0x7f;
const JUMPDEST = 0x5b;
/** STOP, JUMP, RETURN, REVERT, INVALID, SELFDESTRUCT. */
const ENDS: ReadonlySet<number> = new Set([0x00, 0x56, 0xf3, 0xfd, 0xfe, 0xff]);
const NO_DATA = new Uint8Array();

/** Reads code from its beginning; the data of PUSH instructions is never taken for code. */
export function* readInstructions(code: Uint8Array): Generator<Instruction> {
  let isReachable = true;
  for (let offset = 0; offset < code.length; ) {
    const opcode = code[offset] ?? 0;
    const length = opcode >= PUSH1 && opcode <= PUSH32 ? opcode - PUSH1 + 1 : 0;
    if (opcode === JUMPDEST) isReachable = true;
    const data = length === 0 ? NO_DATA : code.subarray(offset + 1, offset + 1 + length);
    yield { opcode, data, isReachable };
    if (ENDS.has(opcode)) isReachable = false;
    offset += 1 + length;
  }
}
