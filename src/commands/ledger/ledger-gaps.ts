import { configuredSources } from '../../imports/configured-sources.ts';
import { findOpenGap } from '../../mirror/ingest/run/find-open-gap.ts';
import type { LedgerGap } from '../../mirror/ledger/upkeep/ledger-gaps.ts';
import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { toHex } from '../../values/hex.ts';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import { printFacts, renderTable } from '../print-facts.ts';
import type { LedgerAction, OpenLedger } from './ledger.ts';

interface FoundGap {
  readonly source: string;
  readonly gap: LedgerGap;
}

/**
 * `ledgerlens ledger gaps [PATH…]`: accepted gaps, breaks in the stored chain, and where an import of the paths (or of
 * the configured sources) would stop now.
 *
 * Exit code 1 when one is not accepted.
 */
export const listLedgerGaps: LedgerAction = async (ledger, words, values) => {
  const { breaks } = await ledger.mirror.report.continuity();
  const { found, problems } = await openGaps(ledger, words);
  const accepted = await ledger.mirror.gaps.accepted();
  const rows = [
    ...accepted.map((gap) => ['accepted', ...gapRow(gap), gap.reason]),
    ...breaks.map((name) => ['stored', '', '', name, 'does not contain the hash of the previous unit']),
    ...found.map(({ gap, source }) => ['open', ...gapRow(gap), `import of ${source} stops here`]),
  ];
  const facts = {
    accepted: accepted.map((gap) => ({ ...gapFacts(gap), reason: gap.reason })),
    breaks,
    open: found.map(({ gap, source }) => ({ ...gapFacts(gap), source })),
    problems,
  };
  printFacts(values, facts, () =>
    rows.length === 0 ? 'No gaps.' : renderTable([['state', 'after', 'before', 'unit', 'remark'], ...rows]),
  );
  for (const problem of problems) console.error(problem);
  return breaks.length + found.length + problems.length > 0 ? 1 : 0;
};

/** `ledgerlens ledger accept-gap [PATH] --reason TEXT`: lets the import continue after missing units. */
export const acceptLedgerGap: LedgerAction = async (ledger, words, values) => {
  const reason = values['reason'];
  if (typeof reason !== 'string' || reason.trim() === '') {
    throw new LedgerlensError(
      'usage',
      'Give a reason why units are missing: ledger accept-gap [PATH] --reason TEXT',
    );
  }
  const { found, problems } = await openGaps(ledger, words);
  for (const problem of problems) console.error(problem);
  const [first, ...others] = found;
  if (first === undefined) {
    console.log('There is no gap to accept: no source continues after missing units.');
    return 1;
  }
  if (others.some(({ gap }) => gap.unit !== first.gap.unit)) {
    const paths = found.map(({ source }) => source).join(', ');
    throw new LedgerlensError('usage', `Several sources have a gap; name one of them: ${paths}`);
  }
  await ledger.mirror.gaps.accept({ ...first.gap, reason });
  console.log(acceptedText(first.gap));
  return 0;
};

/** Hashes that join prove that nothing is missing but numbers. */
export function acceptedText({ expectedHash, foundHash, from, to, unit }: LedgerGap): string {
  const [missing, balances] =
    Buffer.compare(expectedHash, foundHash) === 0
      ? ['block numbers are missing', 'its hash follows, so that balances are kept']
      : ['no data', 'balances before it are discarded'];
  return `Accepted: ${missing} from ${printTimestamp(from)} to ${printTimestamp(to)}. The next import continues with ${unit}; ${balances}.`;
}

async function openGaps({ config, mirror }: OpenLedger, words: readonly string[]) {
  const found: FoundGap[] = [];
  const problems: string[] = [];
  const end = await mirror.ledger.chainEnd();
  for (const { isOfRecords, name, use } of configuredSources(config.mirror, mirror, words)) {
    // Record files are not read after the first native block.
    if (isOfRecords && end?.isNative === true) continue;
    try {
      const gap = await use((source) => findOpenGap(source, mirror.ledger, mirror.gaps));
      if (gap !== null) found.push({ source: name, gap });
    } catch (error) {
      if (!(error instanceof LedgerlensError)) throw error;
      problems.push(`${name}: ${error.message}`);
    }
  }
  return { found, problems };
}

function gapFacts({ expectedHash, foundHash, from, to, unit }: LedgerGap) {
  return {
    after: printTimestamp(from),
    before: printTimestamp(to),
    unit,
    expectedHash: toHex(expectedHash),
    foundHash: toHex(foundHash),
  };
}

function gapRow({ from, to, unit }: LedgerGap): readonly string[] {
  return [printTimestamp(from), printTimestamp(to), unit];
}
