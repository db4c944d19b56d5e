import type { ContractCodes, LedgerCoverage } from './mirror/contracts/contract-codes.ts';
import { printTimestamp } from './values/consensus-timestamp.ts';
import { printEntityId } from './values/entity-id.ts';
import { type Hex, parseHex, toHex } from './values/hex.ts';
import { ChainUnavailableError, type ContractCodeSource, type ContractCreation } from './verify/index.ts';

/**
 * Lets area A verify contracts from the ledger that area C imported.
 *
 * An address that the ledger does not know is one without code only when the import began with the first block;
 * otherwise nobody here can tell.
 *
 * @see contracts/verification-api.md section 10, row ledger
 */
export function createLedgerCodeSource(codes: Omit<ContractCodes, 'count' | 'filesOf'>): ContractCodeSource {
  return {
    async runtimeCode(address) {
      const found = await codes.find(bytesOf(address));
      if (found === null) {
        const coverage = await codes.coverage();
        if (coverage.isFromGenesis) return new Uint8Array();
        throw unavailable(describeCoverage(coverage));
      }
      if (found.kind === 'account') return new Uint8Array();
      if (found.runtimeCode !== null) return found.runtimeCode;
      throw unavailable(
        `The imported ledger has the contract ${printEntityId(found.contract)} but not its code, ` +
          'which comes from the sidecar files of the stream.',
      );
    },
    async creation({ address }, transactionHash) {
      const found = await codes.find(bytesOf(address));
      const creation = found?.kind === 'contract' ? await codes.creation(found.contract) : null;
      if (creation === null) return null;
      const hash = toHex(creation.transactionHash);
      const names = [hash, ...(creation.recordHash === null ? [] : [toHex(creation.recordHash)])];
      if (transactionHash !== null && !names.includes(transactionHash)) return null;
      return {
        creationCode: creation.creationCode,
        transactionHash: hash,
        blockNumber: creation.blockNumber,
        transactionIndex: creation.transactionIndex,
        deployer: toHex(creation.deployer),
        // An entity is made once.
        life: 'present',
      } satisfies ContractCreation;
    },
  };
}

function describeCoverage({ firstConsensus }: LedgerCoverage): string {
  return firstConsensus === null
    ? 'No ledger has been imported yet.'
    : `The imported ledger begins at ${printTimestamp(firstConsensus)} and has no contract at this address.`;
}

function unavailable(advice: string): ChainUnavailableError {
  return new ChainUnavailableError('the imported ledger', [advice], { advice });
}

function bytesOf(address: Hex): Uint8Array {
  return parseHex(address) ?? new Uint8Array(20);
}
