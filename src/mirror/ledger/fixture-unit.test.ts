import { expect, test } from 'vitest';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { entityId } from '../../values/entity-id.ts';
import { fixtureUnit } from './fixture-unit.ts';

const at = consensusTimestamp(1_700_000_000_000_000_000n);

test('without transactions a fixture ends with the newest of its other rows, whatever their kind', () => {
  const balance = { account: entityId(7n), balance: 1n, timestamp: consensusTimestamp(at - 5n) };
  const relation = { account: entityId(7n), token: entityId(8n), consensusTimestamp: at, isAssociated: true };
  const { header } = fixtureUnit('a', { balances: [balance], tokenRelations: [relation] });
  expect([header.consensusStart, header.consensusEnd]).toEqual([at - 5n, at]);
  expect(fixtureUnit('b', {}).header.consensusEnd).toBe(0n);
});
