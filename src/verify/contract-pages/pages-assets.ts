import { ownFile } from '../../own-files.ts';
import { browserScript, textAsset } from '../../pages/site/assets.ts';

/** Fetches what needs an answer of a chain after the page is shown. */
export const LATER_SCRIPT = browserScript(
  'contract-later.js',
  ownFile('verify/contract-pages/later.browser.js'),
);

/** What these pages have beyond the site. */
export const CONTRACTS_SHEET = textAsset(
  'contracts.css',
  `h1 + p + .banner { margin: 16px 0; }
.banner .plain { margin-top: 8px; }
.downloads { margin: 16px 0; }
.sections { margin: 24px 0 0; padding-top: 12px; border-top: 1px solid var(--line); }
section > h2 { scroll-margin-top: 8px; }
section h3 { margin: 16px 0 4px; }
pre.wraps { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 400px; overflow-y: auto; }
.sources { display: grid; grid-template-columns: minmax(180px, 260px) minmax(0, 1fr); gap: 16px; align-items: start; }
.files { background: var(--surface); border: 1px solid var(--line); border-radius: 8px; padding: 8px 12px; max-height: 80vh; overflow-y: auto; font-size: .875rem; }
.tree .tree { padding-left: 12px; border-left: 1px solid var(--line); }
.tree a { display: block; padding: 2px 0; min-height: 24px; text-decoration: none; }
.tree a:hover { text-decoration: underline; }
.tree [aria-current] { font-weight: 700; color: var(--text); }
.file { min-width: 0; }
.file-head { margin-bottom: 8px; }
.file .banner { margin-bottom: 8px; }
pre.code-lines { padding: 8px 0; max-height: 80vh; overflow: auto; line-height: 20px; tab-size: 4; }
.code-lines code { display: block; width: max-content; min-width: 100%; }
.code-lines span[id] { scroll-margin: 96px; }
.code-lines span:target { background: var(--background); outline: 2px solid var(--link); }
.code-lines a { display: inline-block; width: 5ch; margin-right: 2ch; text-align: right; color: var(--muted); text-decoration: none; user-select: none; }
.tok-comment { color: var(--muted); font-style: italic; }
.tok-keyword { color: var(--major); }
.tok-string { color: var(--operational); }
.tok-number { color: var(--partial); }
.tok-function { color: var(--link); }
.tok-type { color: var(--degraded); }
.unseen-mark { display: inline-block; border: 1px solid var(--partial); border-radius: 3px; padding: 0 3px; font-size: .75rem; line-height: 16px; font-weight: 700; font-style: normal; color: var(--partial); background: var(--background); unicode-bidi: isolate; direction: ltr; }
.entries > li { padding: 8px 0; border-bottom: 1px solid var(--line); }
.note { white-space: pre-line; }
.contracts > li { padding: 12px 0; border-bottom: 1px solid var(--line); }
.depth-1 { padding-left: 20px !important; }
.depth-2 { padding-left: 40px !important; }
.depth-3 { padding-left: 60px !important; }
.depth-4 { padding-left: 80px !important; }
.found { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: end; margin: 16px 0; }
.found label { flex: 1 1 280px; }
@media (max-width: 720px) { .sources { grid-template-columns: minmax(0, 1fr); } .files, pre.code-lines { max-height: 60vh; } }
`,
);

/** Everything that is served below `/assets/` for these pages. */
export const CONTRACT_ASSETS = [CONTRACTS_SHEET, LATER_SCRIPT] as const;
