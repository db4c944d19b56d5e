import { fixtureUnit } from '../../../../src/mirror/ledger/fixture-unit.ts';
import type { LedgerUnit } from '../../../../src/mirror/ledger/rows.ts';
import { consensusTimestamp } from '../../../../src/values/consensus-timestamp.ts';
import { type CaseRow, type CaseSetup, integer, integerOrNull, section, text } from './case-row.ts';

const END = 1628751573995691000n;
const START = 1628751572000852000n;
const NUMBER = 123456789n;
const HASH =
  'ed55d98d53fd55c9caf5f61affe88cd2978d37128ec54af5dace29b6fd271cbd079ebe487bda5f227087e2638b1100cf';
const NAME = '2021-08-12T06_59_32.000852000Z.rcd';
/** The first version of record files with a number. */
const VERSION = 6;

/** Section `recordFiles`: blocks without transactions, ascending; the rows of a case stand beside them. */
export function caseBlocks(setup: CaseSetup): readonly LedgerUnit[] {
  return section(setup, 'recordFiles')
    .map(block)
    .sort((left, right) => (left.header.consensusEnd < right.header.consensusEnd ? -1 : 1));
}

function block(row: CaseRow): LedgerUnit {
  const name = text(row, 'name', NAME) ?? NAME;
  const unit = fixtureUnit(name, {});
  const version = ['major', 'minor', 'patch'].map((part, place) =>
    integer(row, `hapi_version_${part}`, place === 1 ? 11n : 0n),
  );
  const gas = integerOrNull(row, 'gas_used', 0n);
  return {
    ...unit,
    header: {
      ...unit.header,
      kind: 'record',
      version: VERSION,
      hapiVersion: version.join('.'),
      blockNumber: integer(row, 'index', NUMBER),
      consensusStart: consensusTimestamp(integer(row, 'consensus_start', START)),
      consensusEnd: consensusTimestamp(integer(row, 'consensus_end', END)),
      hash: Buffer.from(text(row, 'hash', HASH) ?? '', 'hex'),
      previousHash: Buffer.from(text(row, 'prev_hash', '0'.repeat(96)) ?? '', 'hex'),
      count: Number(integer(row, 'count', 1200n)),
      size: Number(integer(row, 'size', 6n)),
    },
    gas: gas === null ? null : { used: gas, bloom: null, receiptsRoot: null },
  };
}
