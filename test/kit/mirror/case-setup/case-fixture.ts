import type { FixtureRows } from '../../../../src/mirror/ledger/fixture-unit.ts';
import { approvalSections } from './approval-sections.ts';
import { balanceSections } from './balance-sections.ts';
import type { CaseSetup } from './case-row.ts';
import { contractSections } from './contract-sections.ts';
import { entitySections } from './entity-sections.ts';
import { networkSections } from './network-sections.ts';
import { nftSections } from './nft-sections.ts';
import { relationSections } from './relation-sections.ts';
import { scheduleSections } from './schedule-sections.ts';
import { tokenSections } from './token-sections.ts';
import { topicSections } from './topic-sections.ts';
import { transactionSections } from './transaction-sections.ts';

/** What reads the sections of `setup`: each those that it names. */
const SECTIONS: readonly ((setup: CaseSetup) => FixtureRows)[] = [
  transactionSections,
  networkSections,
  balanceSections,
  entitySections,
  topicSections,
  scheduleSections,
  tokenSections,
  nftSections,
  approvalSections,
  relationSections,
  contractSections,
];

/**
 * Turns the `setup` of a mirror-rest case into the rows of one fixture.
 *
 * The sections and their defaults are those of the README beside the case files; what only the reference's own tables
 * need (`entityTransactions`) the ledger derives by itself.
 */
export function caseFixture(setup: CaseSetup): FixtureRows {
  const all = new Map<string, unknown[]>();
  for (const read of SECTIONS) {
    for (const [name, rows] of Object.entries(read(setup)) as [string, readonly unknown[]][]) {
      all.set(name, [...(all.get(name) ?? []), ...rows]);
    }
  }
  return Object.fromEntries(all) as FixtureRows;
}
