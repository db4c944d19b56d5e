import { ChainUnavailableError } from './chain-unavailable-error.ts';
import type { ContractCodeSource } from './contract-code-source.ts';

/** A source in the order of asking. */
interface RankedSource {
  readonly source: ContractCodeSource;
  /** Whether the source is the chain itself: what it does not have is not there. */
  readonly isChain: boolean;
}

/**
 * Asks several sources of one chain in order; the first with code or a creation answers.
 *
 * A source that is not available is passed over. When nobody has an answer, that is an error only if the chain
 * itself was not among those that were asked.
 */
export function createOrderedSources(sources: readonly RankedSource[]): ContractCodeSource {
  return {
    async runtimeCode(address, signal) {
      return firstAnswer(
        sources,
        (source) => source.runtimeCode(address, signal),
        (code) => code.length > 0,
        new Uint8Array(),
      );
    },
    async creation(contract, transactionHash, signal) {
      return firstAnswer(
        sources,
        (source) => source.creation(contract, transactionHash, signal),
        (creation) => creation !== null,
        null,
      );
    },
  };
}

async function firstAnswer<T>(
  sources: readonly RankedSource[],
  ask: (source: ContractCodeSource) => Promise<T>,
  isAnswer: (answer: T) => boolean,
  nothing: T,
): Promise<T> {
  const faults: ChainUnavailableError[] = [];
  for (const { source, isChain } of sources) {
    try {
      const answer = await ask(source);
      if (isAnswer(answer) || isChain) return answer;
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) throw error;
      faults.push(error);
    }
  }
  const [first, ...others] = faults;
  if (first === undefined) return nothing;
  if (others.length === 0) throw first;
  throw new ChainUnavailableError(
    'the chain',
    faults.map(({ message }) => message),
    {
      ...(first.advice === null ? {} : { advice: first.advice }),
    },
  );
}
