import { type Html, html } from '../../../pages/html.ts';
import { NANOS_PER_SECOND, parseTimestamp } from '../../../values/consensus-timestamp.ts';
import { type MaybePromise, mapMaybe } from '../../../values/map-maybe.ts';
import { type LedgerQuestions, orNull } from '../ask/ledger-questions.ts';
import { decimal, priceOfHbar } from '../parts/amounts.ts';
import { ledgerLinks } from '../parts/ledger-links.ts';
import { rateAt } from '../parts/rates.ts';
import { duration, shortTime, utc } from '../parts/times.ts';

/** What the ledger is at a glance; null is what it does not tell. */
export type Figures = Awaited<ReturnType<typeof readFigures>>;

/** What figures are read from. */
export interface FigureSources {
  readonly questions: LedgerQuestions;
  /** Differs after every change of the ledger. */
  readonly stamp: () => MaybePromise<string>;
  /** Printed end of the newest unit. */
  readonly newestTime: () => MaybePromise<string | null>;
}

/** Reads the figures once for each state of the ledger. */
export function createFigures(sources: FigureSources): () => Promise<Figures> {
  let kept: { readonly at: string; readonly figures: Promise<Figures> } | null = null;
  return async () =>
    mapMaybe(sources.stamp(), (at) => {
      if (kept?.at === at) return kept.figures;
      const figures = readFigures(sources);
      kept = { at, figures };
      // What failed is asked again.
      figures.catch(() => {
        if (kept?.figures === figures) kept = null;
      });
      return figures;
    });
}

async function readFigures({ newestTime, questions }: FigureSources) {
  const [blocks, rates, supply, nodes] = await Promise.all([
    questions.blocks('?limit=1'),
    orNull(questions.exchangeRate()),
    orNull(questions.supply()),
    questions.nodes('?limit=25'),
  ]);
  return {
    /** Printed time of the newest transaction's unit; null in an empty ledger. */
    newestTime: await newestTime(),
    block: blocks.document.blocks[0] ?? null,
    rates: rates?.document ?? null,
    supply: supply?.document ?? null,
    nodes: { count: nodes.document.nodes.length, hasMore: nodes.document.links.next !== null },
  };
}

/**
 * The figures as a list.
 *
 * @param nowSeconds null leaves the lag to the script, so that equal ledgers give equal bytes.
 */
export function figuresList(figures: Figures, root: string, nowSeconds: bigint | null): Html {
  const { block, newestTime, nodes, rates, supply } = figures;
  const end = newestTime === null ? null : parseTimestamp(newestTime);
  const rate = rateAt(rates, newestTime);
  const price = rate === null ? null : priceOfHbar(rate);
  return html`<dl class="figures" data-figures>
${end === null || newestTime === null ? null : item('Newest consensus time', html`${shortTime(newestTime)} <span class="small muted" data-lag-of="${(end / NANOS_PER_SECOND).toString()}">${nowSeconds === null ? null : lag(nowSeconds - end / NANOS_PER_SECOND)}</span>`)}
${block === null ? null : item('Newest block', html`${ledgerLinks({ root }, new Map()).block(block.number)}${block.hapi_version === null ? null : html` <span class="small muted">API version ${block.hapi_version}</span>`}`)}
${nodes.count === 0 ? null : item('Nodes in the address book', nodes.hasMore ? `more than ${nodes.count}` : String(nodes.count))}
${price === null ? null : item('One ℏ', html`${price} <span class="small muted">at the rate of ${utc(end ?? 0n)} UTC</span>`)}
${supply?.released_supply == null ? null : item('Released supply', `${decimal(BigInt(supply.released_supply), 8).split('.')[0]} ℏ`)}
</dl>`;
}

function item(term: string, shown: Html | string): Html {
  return html`<div><dt>${term}</dt><dd>${shown}</dd></div>`;
}

function lag(seconds: bigint): string {
  if (seconds < 0n) return 'ahead of the clock of this server';
  return seconds < 2n ? 'just now' : `${duration(seconds)} ago`;
}
