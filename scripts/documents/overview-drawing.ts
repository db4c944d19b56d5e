import { type COLOUR_TOKENS, colourProperties } from '../../src/pages/colour-tokens.ts';

interface Column {
  readonly name: string;
  readonly asks: string;
  readonly serves: readonly string[];
  readonly reads: readonly [string, string];
  readonly colour: keyof typeof COLOUR_TOKENS;
}

const COLUMNS: readonly Column[] = [
  {
    name: 'verify',
    asks: 'forge, Hardhat, explorers',
    serves: ['source verification', 'against the bytecode'],
    reads: ['EVM chains', 'by JSON-RPC'],
    colour: 'link',
  },
  {
    name: 'status',
    asks: 'dashboards, people',
    serves: ['components, incidents,', 'maintenances'],
    reads: ['the server itself', 'and its operators'],
    colour: 'operational',
  },
  {
    name: 'mirror',
    asks: 'wallets, SDKs, explorers',
    serves: ['transactions, accounts,', 'tokens, fees'],
    reads: ['Hiero ledger streams', 'files, buckets, block nodes'],
    colour: 'partial',
  },
];

const [WIDTH, HEIGHT, BOX, GAP, LEFT] = [760, 330, 220, 20, 30];

/** `docs/pictures/overview.svg`: who asks, what answers, where it comes from; in the colours of the pages. */
export function overviewDrawing(): string {
  const style = [
    `svg { ${colourProperties('light')} font-family: system-ui, sans-serif; }`,
    `@media (prefers-color-scheme: dark) { svg { ${colourProperties('dark')} } }`,
    '.page { fill: var(--background); } .box { fill: var(--surface); stroke: var(--border); }',
    'text { fill: var(--text); font-size: 14px; text-anchor: middle; } .muted { fill: var(--muted); font-size: 13px; }',
    '.name { font-weight: 600; font-size: 17px; } .line { stroke: var(--muted); stroke-width: 1.5; fill: none; }',
  ].join('\n    ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title">
  <title id="title">One server with three areas. Clients call verify, status and mirror; all three store their data in one SQLite file.</title>
  <style>
    ${style}
  </style>
  <defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" style="fill: var(--muted)"/></marker></defs>
  <rect class="page" width="${WIDTH}" height="${HEIGHT}" rx="8"/>
  <rect class="box" x="14" y="62" width="${WIDTH - 28}" height="176" rx="10"/>
${COLUMNS.map(column).join('\n')}
  <rect class="page" x="${LEFT}" y="192" width="${WIDTH - 2 * LEFT}" height="34" rx="6" style="stroke: var(--border)"/>
  <text x="${WIDTH / 2}" y="214">one process · one SQLite file</text>
</svg>
`;
}

function column({ name, asks, serves, reads, colour }: Column, index: number): string {
  const x = LEFT + index * (BOX + GAP);
  const middle = x + BOX / 2;
  const line = (y: number, text: string, kind = '') =>
    `  <text${kind === '' ? '' : ` class="${kind}"`} x="${middle}" y="${y}">${text}</text>`;
  return [
    line(26, asks),
    `  <path class="line" marker-end="url(#head)" d="M${middle} 36V72"/>`,
    `  <rect class="page" x="${x}" y="76" width="${BOX}" height="104" rx="6" style="stroke: var(--${colour}); stroke-width: 2"/>`,
    line(104, name, 'name'),
    ...serves.map((text, row) => line(134 + row * 20, text)),
    `  <path class="line" marker-end="url(#head)" d="M${middle} 276V242"/>`,
    line(294, reads[0]),
    line(314, reads[1], 'muted'),
  ].join('\n');
}
