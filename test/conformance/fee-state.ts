import { fixtureUnit } from '../../src/mirror/ledger/fixture-unit.ts';
import { consensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import { type EntityId, parseEntityId } from '../../src/values/entity-id.ts';
import type { FeeCase } from '../kit/mirror/fees/fee-case.ts';
import { aToken, someFees } from '../kit/mirror/ledger/a-token.ts';
import type { TestServer } from '../support/test-server.ts';

const TIME = consensusTimestamp(1_700_000_000_000_000_000n);

/** Stores the tokens and topics that a fee case says the mirror knows; anything else stays unknown. */
export async function storeFeeState(server: TestServer, state: FeeCase['state']): Promise<void> {
  if (state === undefined) return;
  await server.services.mirror.ledger.commitUnit(
    fixtureUnit('fee-state', {
      tokens: (state.tokens ?? []).map(({ token_id, type }) => aToken(idOf(token_id), TIME, { kind: type })),
      customFees: (state.tokens ?? []).map(({ custom_fees, token_id }) =>
        someFees(idOf(token_id), TIME, custom_fees),
      ),
      topics: (state.topics ?? []).map((topic) => ({
        topic: idOf(topic.topic_id),
        fixedFeeCount: topic.custom_fees,
        consensusTimestamp: TIME,
      })),
    }),
  );
}

function idOf(text: string): EntityId {
  const id = parseEntityId(text);
  if (id === null) throw new Error(`"${text}" is not an entity id`);
  return id;
}
