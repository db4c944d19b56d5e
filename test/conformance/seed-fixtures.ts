import { fixtureUnit } from '../../src/mirror/ledger/fixture-unit.ts';
import { networkState, thirtyTransactions } from '../kit/mirror/seed-fixtures.ts';
import { createBusyStatusPage, createClosedStatusPage } from '../kit/status/busy-page.ts';
import type { TestServer } from '../support/test-server.ts';

/** Puts a fixture of `cases/seed` into the database through the repositories. @see cases/seed, README */
export async function storeSeedFixture(name: string, { services }: TestServer): Promise<void> {
  switch (name) {
    case 'thirty':
      await services.mirror.ledger.commitUnit(fixtureUnit(name, thirtyTransactions()));
      return;
    case 'network':
      await services.mirror.ledger.commitUnit(fixtureUnit(name, networkState()));
      return;
    case 'status-busy':
      await createBusyStatusPage(services.status);
      return;
    case 'status-closed':
      await createClosedStatusPage(services.status);
      return;
    default:
      throw new Error(`The case needs the unknown fixture ${name}`);
  }
}
