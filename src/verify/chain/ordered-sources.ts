import { ChainUnavailableError } from './chain-unavailable-error.ts';
import type { ContractCodeSource } from './contract-code-source.ts';

/**
 * Asks several sources of one chain in order; the first with code or a creation answers.
 *
 * A source that is not available is passed over, unless no other has an answer.
 */
export function createOrderedSources(sources: readonly ContractCodeSource[]): ContractCodeSource {
  return {
    async runtimeCode(address) {
      return firstAnswer(
        sources,
        (source) => source.runtimeCode(address),
        (code) => code.length > 0,
        new Uint8Array(),
      );
    },
    async creation(address, transactionHash, signal) {
      return firstAnswer(
        sources,
        (source) => source.creation(address, transactionHash, signal),
        (creation) => creation !== null,
        null,
      );
    },
  };
}

async function firstAnswer<T>(
  sources: readonly ContractCodeSource[],
  ask: (source: ContractCodeSource) => Promise<T>,
  isAnswer: (answer: T) => boolean,
  nothing: T,
): Promise<T> {
  const faults: ChainUnavailableError[] = [];
  for (const source of sources) {
    try {
      const answer = await ask(source);
      if (isAnswer(answer)) return answer;
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) throw error;
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
  return nothing;
}
