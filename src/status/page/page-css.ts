import { createHash } from 'node:crypto';
import { colourProperties } from '../../pages/colour-tokens.ts';
import type { Mark } from './status-marks.ts';

const MARKS: readonly Mark[] = ['operational', 'degraded', 'partial', 'major', 'maintenance', 'no-data'];

/**
 * The one style sheet of the page.
 *
 * @see contracts/status.md section 10
 */
export const PAGE_CSS = `:root { color-scheme: light dark; ${colourProperties('light')} }
@media (prefers-color-scheme: dark) { :root { ${colourProperties('dark')} } }
${MARKS.map((mark) => `.is-${mark} { color: var(--${mark}); } .bar .is-${mark} { stroke: var(--${mark}); }`).join('\n')}
* { box-sizing: border-box; }
html { font: 100%/1.5 system-ui, sans-serif; background: var(--background); color: var(--text); }
body { max-width: 860px; margin: 0 auto; padding: 0 16px; overflow-wrap: anywhere; }
h1, h2, h3, p, ul, ol, figure, dl, dd { margin: 0; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.25rem; margin: 2rem 0 .75rem; }
h3 { font-size: 1rem; }
h1 + p { margin-top: 8px; }
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
main:focus { outline: none; }
ul.plain, ol.plain { list-style: none; padding: 0; }
code { font-family: ui-monospace, monospace; }
.muted { color: var(--muted); }
.small { font-size: .875rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.shapes { position: absolute; }
.skip { position: absolute; left: -9999px; }
.skip:focus { left: 16px; top: 8px; padding: 8px; background: var(--background); z-index: 1; }
.icon { width: 1em; height: 1em; vertical-align: -.125em; flex: none; }
.state { font-weight: 600; }
.state, .chips span, .whole { white-space: nowrap; }
.links { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: center; }
.links a, a.target { display: inline-block; min-height: 24px; min-width: 24px; }
header { display: flex; flex-wrap: wrap; gap: 8px 24px; justify-content: space-between; align-items: baseline; padding: 24px 0 16px; }
.home { font-size: 1.25rem; font-weight: 700; color: var(--text); text-decoration: none; }
summary { cursor: pointer; padding: 2px 0; }
.feeds { position: relative; }
.feeds ul { position: absolute; right: 0; z-index: 1; padding: 8px 16px; background: var(--surface); border: 1px solid var(--border); border-radius: 8px; }
.card, .banner { background: var(--surface); border-left: 4px solid currentColor; border-radius: 8px; padding: 16px; }
.card > *, .banner > * { color: var(--text); }
.card + .card { margin-top: 12px; }
.card > * + *, .update + .update { margin-top: 8px; }
.banner p { margin-top: 4px; }
.about { margin-top: 16px; }
.banner .muted, .card .muted { color: var(--muted); }
${MARKS.map((mark) => `.banner.is-${mark} .icon { color: var(--${mark}); }`).join('\n')}
.body > * + * { margin-top: 8px; }
.body ul, .body ol { padding-inline-start: 24px; }
.about, .component > .muted, .body p, .body li { unicode-bidi: plaintext; }
.chips { display: flex; flex-wrap: wrap; gap: 4px 8px; list-style: none; padding: 0; }
.chips li { border: 1px solid var(--border); border-radius: 12px; padding: 0 8px; font-size: .875rem; }
.mark { border: 1px solid currentColor; border-radius: 4px; padding: 0 6px; font-size: .875rem; font-weight: 600; }
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
.line { display: flex; flex-wrap: wrap; gap: 0 16px; justify-content: space-between; align-items: baseline; }
.name { font-weight: 600; }
.clip { overflow: hidden; margin-top: 8px; }
.bar { display: block; width: 100%; height: 28px; }
.bar path { stroke-width: .8; fill: none; }
.caption { display: flex; flex-wrap: wrap; gap: 0 8px; margin-top: 4px; justify-content: space-between; font-size: .875rem; color: var(--muted); }
.narrow { display: none; }
.caption > * { white-space: nowrap; }
.day { padding: 12px 0; }
.day + .day { border-top: 1px solid var(--line); }
.day > * + *, .past > * + * { margin-top: 8px; }
.months { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 360px), 1fr)); gap: 16px 32px; }
.months ul { margin-top: 8px; }
table { width: 100%; border-collapse: collapse; table-layout: fixed; }
caption { text-align: left; font-weight: 600; padding: 8px 0; }
th, td { position: relative; border: 1px solid var(--line); padding: 4px 0; text-align: center; font-size: .875rem; }
.facts, .legend { margin-top: 12px; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; }
.facts dt { color: var(--muted); }
.pages { display: flex; justify-content: space-between; gap: 16px; margin: 24px 0; }
footer { margin-top: 48px; padding: 16px 0 32px; border-top: 1px solid var(--line); font-size: .875rem; color: var(--muted); }
footer > * + * { margin-top: 8px; }
@media (max-width: 479px) {
  .bar { width: 300%; margin-left: -200%; }
  .wide { display: none; }
  .narrow { display: inline; }
  .caption > .figure { order: 1; width: 100%; }
  .children > .component { padding-left: 20px; }
  .group > summary .muted { margin-left: 0; }
  .facts { grid-template-columns: 1fr; }
}
@media (prefers-reduced-motion: reduce) { *, ::before, ::after { animation: none !important; transition: none !important; scroll-behavior: auto !important; } }
@media print {
  :root { ${colourProperties('light')} }
  body { max-width: none; }
  .skip, header nav, .pages { display: none; }
  .card, .banner, .bar path { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .card, .component, .day { break-inside: avoid; }
}
`;

/** Names the style sheet's content, so that its address may be kept for ever. */
export const PAGE_CSS_VERSION = createHash('sha256').update(PAGE_CSS).digest('hex').slice(0, 16);
