import { type Html, html, trusted } from '../../../pages/html.ts';
import { largeRunsOf } from '../../exact-runs.ts';
import { isJsonObject, type JsonObject } from '../../json-object.ts';
import type { PrintedSource } from '../colour/source-colours.ts';
import { countUnseen, plainText, visibleText } from '../visible-text.ts';

/** A tree with more files is cut; all of them are in the zip. */
const MAX_FILES = 1_000;

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
  const listed = paths.length <= MAX_FILES ? paths : listedWith(paths, shown.path);
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
  const first = paths.slice(0, MAX_FILES);
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

/** A folder of sources. */
interface SourceFolder {
  /** Of a folder that holds nothing but one other, both: `@openzeppelin/contracts`. */
  readonly name: string;
  readonly folders: readonly SourceFolder[];
  readonly files: readonly { readonly name: string; readonly path: string }[];
}

interface OpenFolder {
  readonly folders: Map<string, OpenFolder>;
  readonly files: { readonly name: string; readonly path: string }[];
}

/** Deeper folders stay part of the names of their files. */
const MAX_DEPTH = 10;

/** Arranges paths as folders, each with its folders and files in the order of their names. */
export function sourceTree(paths: readonly string[]): SourceFolder {
  const root: OpenFolder = { folders: new Map(), files: [] };
  for (const path of paths) {
    const parts = path.split('/');
    const folders = parts.slice(0, Math.min(parts.length - 1, MAX_DEPTH));
    let folder = root;
    for (const name of folders) {
      const inner = folder.folders.get(name) ?? { folders: new Map(), files: [] };
      folder.folders.set(name, inner);
      folder = inner;
    }
    folder.files.push({ name: parts.slice(folders.length).join('/'), path });
  }
  return close('', root);
}

function close(name: string, { folders, files }: OpenFolder): SourceFolder {
  const [only, ...others] = folders;
  if (name !== '' && files.length === 0 && only !== undefined && others.length === 0) {
    return close(`${name}/${only[0]}`, only[1]);
  }
  return {
    name,
    folders: [...folders].map(([inner, folder]) => close(inner, folder)).toSorted(byName),
    files: files.toSorted(byName),
  };
}

function byName(left: { readonly name: string }, right: { readonly name: string }): number {
  if (left.name === right.name) return 0;
  return left.name < right.name ? -1 : 1;
}

/** Longer addresses are cut by some browsers and proxies of mail. Characters of source. */
const MAX_SOURCE_LENGTH = 24_000;

/**
 * Where Remix opens a file with the settings of its compilation; null when it is too long for an address, or is in no
 * language of Remix.
 *
 * What stands behind `#` stays in the browser.
 *
 * @see https://remix-ide.readthedocs.io/en/latest/locations.html
 */
export function remixLink(
  source: string,
  {
    language,
    compilerVersion,
    settings,
  }: {
    readonly language: string;
    readonly compilerVersion: string;
    readonly settings: JsonObject;
  },
): string | null {
  const isShort = source.length <= MAX_SOURCE_LENGTH;
  if (!isShort || (language !== 'Solidity' && language !== 'Yul')) return null;
  const optimizer = isJsonObject(settings['optimizer']) ? settings['optimizer'] : {};
  const { evmVersion } = settings;
  const runs = Number.isInteger(optimizer['runs']) ? String(optimizer['runs']) : largeRunsOf(settings);
  const parameters = [
    `language=${language}`,
    `version=soljson-v${encodeURIComponent(compilerVersion).replaceAll('%2B', '+')}.js`,
    `optimize=${optimizer['enabled'] === true}`,
    ...(runs === null ? [] : [`runs=${runs}`]),
    ...(typeof evmVersion === 'string' ? [`evmVersion=${encodeURIComponent(evmVersion)}`] : []),
    `code=${Buffer.from(source).toString('base64').replaceAll('=', '%3D')}`,
  ];
  return `https://remix.ethereum.org/#${parameters.join('&')}`;
}
