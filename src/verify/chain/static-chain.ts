import type { Hex } from '../../values/hex.ts';
import type { ContractCodeSource, ContractCreation } from './contract-code-source.ts';

/** A contract whose code an operator gave. */
export interface StaticContract {
  readonly runtimeCode: Uint8Array;
  readonly creation: ContractCreation | null;
}

/** Answers from code given by the operator, for tests and offline use. Keys are lower-case addresses. */
export function createStaticChain(contracts: ReadonlyMap<Hex, StaticContract>): ContractCodeSource {
  return {
    async runtimeCode(address) {
      return contracts.get(address)?.runtimeCode ?? new Uint8Array();
    },
    async creation({ address }, transactionHash) {
      const creation = contracts.get(address)?.creation ?? null;
      const isOther = transactionHash !== null && creation?.transactionHash !== transactionHash;
      return isOther ? null : creation;
    },
  };
}
