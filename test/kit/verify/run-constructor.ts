const WORD = 1n << 256n;
const MAX_STEPS = 100_000;

type Binary = (a: bigint, b: bigint) => bigint;
const signed = (value: bigint) => BigInt.asIntN(256, value);
const BINARY: Readonly<Record<number, Binary>> = {
  1: (a, b) => a + b,
  2: (a, b) => a * b,
  3: (a, b) => a - b,
  4: (a, b) => (b === 0n ? 0n : a / b),
  10: (a, b) => a ** b,
  16: (a, b) => BigInt(a < b),
  17: (a, b) => BigInt(a > b),
  18: (a, b) => BigInt(signed(a) < signed(b)),
  19: (a, b) => BigInt(signed(a) > signed(b)),
  20: (a, b) => BigInt(a === b),
  22: (a, b) => a & b,
  23: (a, b) => a | b,
  24: (a, b) => a ^ b,
  27: (a, b) => (a > 255n ? 0n : b << a),
  28: (a, b) => (a > 255n ? 0n : b >> a),
};

/**
 * Runs creation code with its arguments, as much of the EVM as the constructors of these tests need.
 *
 * @returns the code that it leaves on chain.
 * @throws Error when it reverts, or meets an instruction that is not known here.
 */
export function runConstructor(code: Uint8Array): Uint8Array {
  const stack: bigint[] = [];
  const storage = new Map<bigint, bigint>();
  const memory = new Uint8Array(1 << 17);
  const pop = () => {
    const value = stack.pop();
    if (value === undefined) throw new Error('The stack is empty');
    return value;
  };
  const push = (value: bigint) => void stack.push(((value % WORD) + WORD) % WORD);
  const read = (from: Uint8Array, at: number, length: number) =>
    BigInt(`0x0${Buffer.from(from.subarray(at, at + length)).toString('hex')}`);
  const write = (at: bigint, value: bigint) =>
    memory.set(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'), Number(at));
  for (let at = 0, steps = 0; steps < MAX_STEPS; steps++) {
    const opcode = code[at++] ?? 0;
    const binary = BINARY[opcode];
    if (binary !== undefined) push(binary(pop(), pop()));
    else if (opcode >= 0x5f && opcode <= 0x7f) {
      push(read(code, at, opcode - 0x5f));
      at += opcode - 0x5f;
    } else if (opcode >= 0x80 && opcode <= 0x8f) push(stack.at(0x7f - opcode) ?? 0n);
    else if (opcode >= 0x90 && opcode <= 0x9f) {
      const [top, other] = [stack.length - 1, stack.length - 2 - (opcode - 0x90)];
      [stack[top], stack[other]] = [stack[other] ?? 0n, stack[top] ?? 0n];
    } else {
      switch (opcode) {
        case 0x15:
          push(BigInt(pop() === 0n));
          break;
        case 0x19:
          push(WORD - 1n - pop());
          break;
        case 0x30:
          push(0xadd7e55n);
          break;
        case 0x34:
          push(0n);
          break;
        case 0x38:
          push(BigInt(code.length));
          break;
        case 0x39: {
          const [to, from, length] = [Number(pop()), Number(pop()), Number(pop())];
          memory.fill(0, to, to + length);
          memory.set(code.subarray(from, from + length), to);
          break;
        }
        case 0x50:
          pop();
          break;
        case 0x51:
          push(read(memory, Number(pop()), 32));
          break;
        case 0x52:
          write(pop(), pop());
          break;
        case 0x53: {
          const [to, value] = [Number(pop()), pop()];
          memory[to] = Number(value & 0xffn);
          break;
        }
        case 0x54:
          push(storage.get(pop()) ?? 0n);
          break;
        case 0x55:
          storage.set(pop(), pop());
          break;
        case 0x56:
          at = Number(pop());
          break;
        case 0x57: {
          const [to, condition] = [Number(pop()), pop()];
          if (condition !== 0n) at = to;
          break;
        }
        case 0x5b:
          break;
        case 0xf3: {
          const [from, length] = [Number(pop()), Number(pop())];
          return memory.slice(from, from + length);
        }
        default:
          throw new Error(`The constructor ends in opcode ${opcode.toString(16)} at ${at - 1}`);
      }
    }
  }
  throw new Error('The constructor does not end');
}
