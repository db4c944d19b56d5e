import type { ContractResultDocument, TransactionDocument } from '../ask/documents.ts';
import { type LedgerQuestions, orNull } from '../ask/ledger-questions.ts';
import type { SourceStates } from '../parts/source-state.ts';

/** What the EVM did in a transaction. */
export type Execution = NonNullable<Awaited<ReturnType<typeof readExecution>>>;

const MAX_ROWS = 100;

/** The entity whose number the sender's address is; null for every other address. */
export function senderId({ contract_id, from }: ContractResultDocument): string | null {
  const [, num] = /^0x0{24}([\da-f]{16})$/.exec(from ?? '') ?? [];
  const home = contract_id?.split('.', 2).join('.') ?? '0.0';
  return num === undefined ? null : `${home}.${BigInt(`0x${num}`)}`;
}

/** @returns null for a transaction that the EVM had no part in. */
export async function readExecution(
  { consensus_timestamp: at, name, nonce, transaction_id }: TransactionDocument,
  questions: LedgerQuestions,
  sourceStates: SourceStates,
) {
  const found = await questions.contractResults(`?timestamp=${at}&internal=true`);
  const [plain] = found.document.results;
  // Logs of plain token transfers stand for results that nothing ran.
  if (plain === undefined || plain.gas_used === null) return null;
  const { address, contract_id, created_contract_ids } = plain;
  const [decoded, logs, trace, sources] = await Promise.all([
    contract_id === null
      ? null
      : questions.resultsOfContract(contract_id, `?timestamp=${at}&internal=true&decode=true`),
    questions.contractLogs(`?timestamp=${at}&limit=${MAX_ROWS}&decode=true&order=asc`),
    nonce === 0n ? orNull(questions.contractActions(transaction_id, `?limit=${MAX_ROWS}`)) : null,
    address === null ? [] : sourceStates(address),
  ]);
  const [first] = trace?.document.actions ?? [];
  // One id may stand for several transactions, of which the API traces one.
  const ownTrace = first?.timestamp === at ? trace : null;
  return {
    result: decoded?.document.results[0] ?? plain,
    /** Whether it created the contract, so that its input is code. */
    isCreation:
      name === 'CONTRACTCREATEINSTANCE' ||
      (contract_id !== null && created_contract_ids.includes(contract_id)),
    logs: logs.document,
    /** Null where the ledger has no trace. */
    trace: ownTrace?.document ?? null,
    sources,
    /** Requests that give it. */
    targets: [decoded ?? found, logs, ownTrace].flatMap((answer) => answer?.target ?? []),
  };
}
