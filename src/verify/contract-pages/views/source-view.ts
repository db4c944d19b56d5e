import { type Html, html, trusted } from '../../../pages/html.ts';
import type { PrintedSource } from '../colour/source-colours.ts';
import { type SourceFolder, sourceTree } from '../model/source-tree.ts';
import { countUnseen, plainText, visibleText } from '../visible-text.ts';

/** A tree with more files is cut; all of them are in the zip. */
const MOST_FILES = 1_000;

/** What the part with the sources shows. */
interface SourceView {
  /** Path of the contract's page. */
  readonly base: string;
  /** All files, by path. */
  readonly paths: readonly string[];
  readonly shown: { readonly path: string; readonly content: string; readonly printed: PrintedSource };
  /** Where Remix opens the shown file; null when it cannot. */
  readonly remixHref: string | null;
}

/** The files as a tree beside the one that is shown. */
export function renderSources(view: SourceView): Html {
  const { base, paths, shown } = view;
  const listed = paths.length <= MOST_FILES ? paths : listedWith(paths, shown.path);
  const omitted = paths.length - listed.length;
  return html`<div class="sources">
<details class="files" open>
<summary>${paths.length === 1 ? '1 file' : `${paths.length} files`}</summary>
<nav aria-label="Files">${renderFolder(sourceTree(listed), view)}</nav>
${omitted === 0 ? null : html`<p class="small muted">${omitted} more files not listed. <a href="${base}/sources.zip">Download them all</a>.</p>`}
</details>
<div class="file">
${renderFile(view)}
</div>
</div>`;
}

/** The first files, and the one that is shown. */
function listedWith(paths: readonly string[], path: string): readonly string[] {
  const first = paths.slice(0, MOST_FILES);
  return first.includes(path) ? first : [...first, path];
}

function renderFolder({ folders, files }: SourceFolder, view: SourceView): Html {
  return html`<ul class="plain tree">
${folders.map(
  (folder) => html`<li><details open><summary>${visibleText(folder.name || '/')}</summary>
${renderFolder(folder, view)}</details></li>
`,
)}${files.map(({ name, path }) => {
  const isShown = path === view.shown.path;
  return html`<li><a href="${fileHref(view.base, path)}"${isShown ? html` aria-current="true"` : null}>${visibleText(name || '(no name)')}</a></li>
`;
})}</ul>`;
}

function renderFile({ base, shown, remixHref }: SourceView): Html {
  const { path, content, printed } = shown;
  const raw = `${base}/file?path=${encodeURIComponent(path)}`;
  return html`<p class="line file-head"><strong>${visibleText(path)}</strong>
<span class="links"><a href="${raw}">Raw file</a>${remixHref === null ? null : html` <a href="${remixHref}" rel="noreferrer">Open in Remix</a>`}</span></p>
${renderWarning(countUnseen(content.replaceAll('\r\n', '\n')))}${renderOmissions(printed, raw)}
<pre class="code-lines" tabindex="0" role="region" aria-label="Source of ${plainText(path)}"><code>${trusted(printed.markup)}</code></pre>`;
}

function renderWarning(unseen: number): Html | null {
  if (unseen === 0) return null;
  const counted =
    unseen === 1
      ? 'contains one character that is invisible or changes the order of text'
      : `contains ${unseen} characters that are invisible or change the order of text`;
  return html`<div class="banner is-degraded" role="note"><p><strong>This file ${counted}.</strong></p>
<p>Editors may display it differently from how the compiler reads it. Such characters are marked here: ${visibleText('\u202e')}</p></div>
`;
}

function renderOmissions({ lines, omittedLines, cutLines }: PrintedSource, raw: string): Html | null {
  if (omittedLines === 0 && cutLines === 0) return null;
  const said = [
    ...(omittedLines === 0 ? [] : [`The first ${lines} of ${lines + omittedLines} lines are shown.`]),
    ...(cutLines === 0 ? [] : ['Very long lines are truncated.']),
  ];
  return html`<p class="muted">${said.join(' ')} <a href="${raw}">The whole file</a></p>
`;
}

function fileHref(base: string, path: string): string {
  return `${base}?file=${encodeURIComponent(path)}#sources`;
}
