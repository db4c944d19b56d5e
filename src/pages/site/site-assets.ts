import { ownFile } from '../../own-files.ts';
import { BASE_CSS } from '../base-css.ts';
import { browserScript, textAsset } from './assets.ts';

/** For pages with commands in `pre[data-copy]`. */
export const COPY_SCRIPT = browserScript('copy.js', ownFile('pages/site/copy.browser.js'));

/** What all pages of the site share beyond the base; a page's own rules go into a sheet of its own. */
export const SITE_SHEET = textAsset(
  'site.css',
  `${BASE_CSS}body { max-width: 1080px; }
nav [aria-current] { color: var(--text); font-weight: 600; text-decoration: none; }
form { display: grid; gap: 12px; }
label { display: grid; gap: 4px; font-weight: 600; }
input, select, textarea, button { font: inherit; color: inherit; background: var(--background); border: 1px solid var(--border); border-radius: 6px; padding: 6px 10px; min-height: 36px; max-width: 100%; }
textarea, pre, .code { font-family: ui-monospace, monospace; font-size: .875rem; }
:is(input, select, textarea, button):focus-visible { outline: 3px solid var(--link); outline-offset: 1px; }
button, .button { justify-self: start; display: inline-block; background: var(--link); color: var(--background); border: 1px solid transparent; border-radius: 6px; padding: 6px 16px; font-weight: 600; text-decoration: none; cursor: pointer; }
button.quiet { background: var(--surface); color: var(--text); border-color: var(--border); }
.questions h3 { margin: 16px 0 4px; }
.questions .copy { margin-top: 4px; }
pre { margin: 0; padding: 12px; overflow-x: auto; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; }
.wide-table { overflow-x: auto; }
.wide-table table { table-layout: auto; }
table.data th, table.data td { border: 0; border-bottom: 1px solid var(--line); padding: 6px 12px 6px 0; text-align: left; vertical-align: top; }
table.data td.number, table.data th.number { text-align: right; font-variant-numeric: tabular-nums; }
dl.facts { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: 6px 16px; }
dl.facts dt { color: var(--muted); }
@media (max-width: 480px) { dl.facts { grid-template-columns: 1fr; gap: 0; } dl.facts dd { margin-bottom: 8px; } }
`,
);
