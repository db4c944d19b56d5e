import { expect, test } from 'vitest';
import { readStoredSubmission, type Submission } from './submission.ts';

const standardJson = {
  input: { language: 'Solidity', sources: { 'a.sol': { content: '' } } },
  compilerVersion: '0.8.30',
  target: { path: 'a.sol', name: 'A' },
  creationTransactionHash: null,
};

test('a submission stored without a kind is standard JSON', () => {
  const stored = readStoredSubmission(JSON.stringify(standardJson));
  expect(stored).toEqual({ kind: 'standard_json', ...standardJson });
});

test('any other is read as it was stored', () => {
  const similarity: Submission = { kind: 'similarity', creationTransactionHash: null };
  expect(readStoredSubmission(JSON.stringify(similarity))).toEqual(similarity);
});
