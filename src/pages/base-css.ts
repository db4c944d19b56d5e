import { colourProperties, STATES } from './colour-tokens.ts';

/** The style of everything that pages of all areas have in common; each page's sheet begins with it. */
export const BASE_CSS = `:root { color-scheme: light dark; ${colourProperties('light')} }
@media (prefers-color-scheme: dark) { :root { ${colourProperties('dark')} } }
${STATES.map((state) => `.is-${state} { color: var(--${state}); }`).join('\n')}
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
.skip { position: absolute; left: -9999px; }
.skip:focus { left: 16px; top: 8px; padding: 8px; background: var(--background); z-index: 1; }
.links { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: center; }
.links a, a.target { display: inline-block; min-height: 24px; min-width: 24px; }
header { display: flex; flex-wrap: wrap; gap: 8px 24px; justify-content: space-between; align-items: baseline; padding: 24px 0 16px; }
.home { font-size: 1.25rem; font-weight: 700; color: var(--text); text-decoration: none; }
summary { cursor: pointer; padding: 2px 0; }
.card, .banner { background: var(--surface); border-left: 4px solid currentColor; border-radius: 8px; padding: 16px; }
.card > *, .banner > * { color: var(--text); }
.card + .card { margin-top: 12px; }
.card > * + *, .update + .update { margin-top: 8px; }
.banner p { margin-top: 4px; }
.banner .muted, .card .muted { color: var(--muted); }
.chips { display: flex; flex-wrap: wrap; gap: 4px 8px; list-style: none; padding: 0; }
.chips li { border: 1px solid var(--border); border-radius: 12px; padding: 0 8px; font-size: .875rem; }
.mark { border: 1px solid currentColor; border-radius: 4px; padding: 0 6px; font-size: .875rem; font-weight: 600; }
.line { display: flex; flex-wrap: wrap; gap: 0 16px; justify-content: space-between; align-items: baseline; }
table { width: 100%; border-collapse: collapse; table-layout: fixed; }
caption { text-align: left; font-weight: 600; padding: 8px 0; }
th, td { position: relative; border: 1px solid var(--line); padding: 4px 0; text-align: center; font-size: .875rem; }
.pages { display: flex; justify-content: space-between; gap: 16px; margin: 24px 0; }
footer { margin-top: 48px; padding: 16px 0 32px; border-top: 1px solid var(--line); font-size: .875rem; color: var(--muted); }
footer > * + * { margin-top: 8px; }
@media (prefers-reduced-motion: reduce) { *, ::before, ::after { animation: none !important; transition: none !important; scroll-behavior: auto !important; } }
@media print {
  :root { ${colourProperties('light')} }
  body { max-width: none; }
  .skip, header nav, .pages { display: none; }
  .card, .banner { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .card { break-inside: avoid; }
}
`;
