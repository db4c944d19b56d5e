/** How a run in a thread went wrong. */
interface CompilerFault {
  readonly reason: 'out_of_memory' | 'crashed';
  /** For the one who submitted the sources. */
  readonly message: string;
}

/**
 * Reads what a compiler threw.
 *
 * @param hasRefusedMemory whether it was refused memory during the run: whatever it threw then is a consequence.
 */
export function compilerFault(error: unknown, hasRefusedMemory: boolean): CompilerFault {
  const message = error instanceof Error ? error.message : String(error);
  if (hasRefusedMemory || /cannot enlarge memory|out of memory|OOM/i.test(message)) {
    return { reason: 'out_of_memory', message };
  }
  return { reason: 'crashed', message: explained(message) };
}

/** The engine's words for the limits of a compiler say nothing to those who do not know how it is built. */
function explained(message: string): string {
  if (/call stack|memory access out of bounds|stack overflow/i.test(message)) {
    return `The compiler ran out of stack (${message}): its input is nested too deeply`;
  }
  if (message === 'undefined') return 'The compiler gave up without a reason';
  return message;
}
