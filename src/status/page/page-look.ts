import { createHash } from 'node:crypto';
import { BASE_CSS } from '../../pages/base-css.ts';
import { COLOUR_TOKENS, type ColourToken, colourProperties, STATES } from '../../pages/colour-tokens.ts';
import { contrast } from '../../pages/contrast.ts';
import type { PageLogo } from './page-logo.ts';
import { NEWEST_DAYS } from './views/day-stretches.ts';

/**
 * Blocks and gaps of a bar's day from top to bottom: whole when all was well, the more gaps the worse, hatched for
 * maintenance, and empty where nothing was measured.
 */
const PATTERNS: Readonly<Partial<Record<(typeof STATES)[number], string>>> = {
  maintenance: '2 2',
  degraded: '8 4 16',
  partial: '6 4 6 4 8',
  major: '4 4',
  'no-data': '3 22',
};

/**
 * The one style sheet of the status page.
 *
 * @see contracts/status.md section 10
 */
export const PAGE_CSS = `${BASE_CSS}${STATES.map((state) => `.bar .is-${state} { stroke: var(--${state}); }`).join('\n')}
.shapes { position: absolute; }
.icon { width: 1em; height: 1em; vertical-align: -.125em; flex: none; }
.state { font-weight: 600; }
.state, .chips span, .whole { white-space: nowrap; }
.feeds { position: relative; }
.feeds ul { position: absolute; right: 0; z-index: 1; padding: 8px 16px; background: var(--surface); border: 1px solid var(--border); border-radius: 8px; }
.about { margin-top: 16px; }
${STATES.map((state) => `.banner.is-${state} .icon { color: var(--${state}); }`).join('\n')}
.body > * + * { margin-top: 8px; }
.body ul, .body ol { padding-inline-start: 24px; }
.about, .component > .muted, .body p, .body li { unicode-bidi: plaintext; }
.components { border: 1px solid var(--border); border-radius: 8px; }
.components > li + li, .children > li { border-top: 1px solid var(--line); }
.component, .group > summary { padding: 12px; }
.group > summary { display: flex; gap: 8px; list-style: none; }
.group > summary::-webkit-details-marker { display: none; }
.group > summary::before { content: '▸'; content: '▸' / ''; width: 1rem; font-size: 1.25rem; line-height: 1.2; }
.group[open] > summary::before { content: '▾'; content: '▾' / ''; }
.group > summary > .line { flex: 1; }
.group > summary .muted { margin-left: auto; }
.group > .component { padding-top: 0; margin-top: -8px; }
.group > .component, .children > .component { padding-left: calc(1rem + 20px); }
.name { font-weight: 600; }
.days { position: relative; margin-top: 8px; }
.clip { display: grid; grid-template-columns: minmax(0, 1fr); overflow: hidden; }
.clip > * { grid-area: 1 / 1; }
.strip { display: flex; }
.strip ol { display: grid; grid-auto-flow: column; margin: 0; padding: 0; list-style: none; flex: 2; min-width: 0; }
.strip ol + ol { flex: 1; }
.older { grid-template-columns: repeat(60, minmax(0, 1fr)); }
.newer { grid-template-columns: repeat(30, minmax(0, 1fr)); }
.strip li:focus-visible { outline-offset: -3px; }
.strip b { font-weight: 400; position: absolute; z-index: 1; top: 100%; left: 0; right: 0; opacity: 0; pointer-events: none; padding: 4px 12px; background: var(--surface); border: 1px solid var(--border); border-radius: 8px; font-size: .875rem; }
.strip li:hover > b, .strip li:focus > b { opacity: 1; }
.strip li:hover { background: linear-gradient(var(--text), var(--text)) 0 100% / 100% 2px no-repeat; }
${Array.from({ length: NEWEST_DAYS * 2 - 1 }, (_, index) => `.s${index + 2} { grid-column: span ${index + 2}; }`).join('\n')}
.bar { display: block; width: 100%; height: 28px; }
.bar path { stroke-width: .8; fill: none; }
${Object.entries(PATTERNS)
  .map(([state, gaps]) => `.bar .is-${state} { stroke-dasharray: ${gaps}; }`)
  .join('\n')}
.patterns { margin-top: 12px; font-size: .875rem; }
.patterns .bar { display: inline-block; width: 8px; margin: 0 8px 0 0; vertical-align: middle; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 360px), 1fr)); gap: 16px 32px; margin-top: 12px; }
.plot { display: grid; grid-template-columns: 4rem 1fr; grid-template-rows: 1fr 1fr; margin-top: 4px; }
.plot span { grid-column: 1; line-height: 1; }
.plot span + span { align-self: end; }
.plot svg { grid-area: 1 / 2 / 3 / 3; display: block; width: 100%; height: 60px; border-left: 1px solid var(--border); border-bottom: 1px solid var(--border); }
.plot path { fill: none; stroke: var(--link); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; vector-effect: non-scaling-stroke; }
.plot .most { stroke: var(--muted); stroke-width: 1; }
.key { display: inline-block; width: 24px; border-top: 2px solid var(--link); vertical-align: middle; }
.key.most { border-top: 1px solid var(--muted); }
.caption { display: flex; flex-wrap: wrap; gap: 0 8px; margin-top: 4px; justify-content: space-between; font-size: .875rem; color: var(--muted); }
.narrow { display: none; }
.caption > * { white-space: nowrap; }
.day { padding: 12px 0; }
.day + .day { border-top: 1px solid var(--line); }
.day > * + *, .past > * + * { margin-top: 8px; }
.months { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 360px), 1fr)); gap: 16px 32px; }
.months ul { margin-top: 8px; }
.facts, .legend { margin-top: 12px; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; }
.facts dt { color: var(--muted); }
.theme-light { color-scheme: light; ${colourProperties('light')} }
.theme-dark { color-scheme: dark; ${colourProperties('dark')} }
.frame { max-width: none; padding: 0 12px; }
.frame p { height: 40px; display: flex; align-items: center; overflow: hidden; white-space: nowrap; }
.frame a { display: flex; gap: 8px; align-items: center; min-height: 24px; color: var(--text); }
.logo { height: 2rem; width: auto; max-width: 12rem; vertical-align: middle; margin-right: 8px; }
@media (max-width: 479px) {
  .bar { width: 300%; margin-left: -200%; }
  .older { display: none !important; }
  .wide { display: none; }
  .narrow { display: inline; }
  .caption > .figure { order: 1; width: 100%; white-space: normal; }
  .children > .component { padding-left: 20px; }
  .group > summary .muted { margin-left: 0; }
  .facts { grid-template-columns: minmax(0, 1fr); }
}
@media print {
  .bar path { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .strip { display: none; }
  .component, .day { break-inside: avoid; }
}
`;

/** What an operator chose of how the page looks. */
export type PageLook = ReturnType<typeof createPageLook>;

/**
 * @param accent `#rrggbb` for links and focus; null: the usual one.
 * @param logo null: the page's name alone.
 */
export function createPageLook(accent: string | null, logo: PageLogo | null) {
  const css = accent === null ? PAGE_CSS : `${PAGE_CSS}${accentRules(accent)}`;
  // Its version names the style sheet's content, so that its address may be kept for ever.
  return { css, cssVersion: createHash('sha256').update(css).digest('hex').slice(0, 16), logo };
}

export const PLAIN_LOOK = createPageLook(null, null);

function accentRules(accent: string): string {
  const { light, dark } = readableAccent(accent);
  return `:root, .theme-light { --link: ${light}; }
@media (prefers-color-scheme: dark) { :root { --link: ${dark}; } }
.theme-light { --link: ${light}; }
.theme-dark { --link: ${dark}; }
@media print { :root { --link: ${light}; } }
`;
}

/** Links are texts. @see WCAG 2.2, 1.4.3 */
const LEAST = 4.5;
const STEPS = 100;

/**
 * A colour of an operator's choice for links and focus, as it can be read in each theme: mixed with black on a light
 * screen, with white on a dark one, by as much as is needed and no more.
 *
 * @param colour `#rrggbb`.
 */
export function readableAccent(colour: string): ColourToken {
  return { light: adjusted(colour, 'light', '#000000'), dark: adjusted(colour, 'dark', '#ffffff') };
}

function adjusted(colour: string, theme: keyof ColourToken, towards: string): string {
  const unders = [COLOUR_TOKENS.background[theme], COLOUR_TOKENS.surface[theme]];
  for (let step = 0; step < STEPS; step += 1) {
    const mixed = mix(colour, towards, step / STEPS);
    if (unders.every((under) => contrast(mixed, under) >= LEAST)) return mixed;
  }
  return towards;
}

function mix(one: string, other: string, share: number): string {
  const channel = (start: number) => {
    const [from, to] = [one, other].map((each) => Number.parseInt(each.slice(start, start + 2), 16));
    const value = Math.round((from ?? 0) + ((to ?? 0) - (from ?? 0)) * share);
    return value.toString(16).padStart(2, '0');
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}
