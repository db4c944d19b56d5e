import { type Html, html } from '../../pages/html.ts';
import type { JobRecord } from '../jobs/queue/job-repository.ts';
import { MAX_KEPT_CODE } from '../jobs/results/verification-result.ts';
import { isJsonObject } from '../json-object.ts';
import {
  type CodeComparison,
  type CodeLine,
  type ComparedCodes,
  compareCodes,
  type DifferenceName,
  type DifferentPlace,
  excerptAround,
} from '../mismatch/compare-codes.ts';
import { compareSettings } from '../mismatch/compare-settings.ts';
import { type NamedSettings, type OriginalSettings, settingsOfBoth } from '../mismatch/metadata-settings.ts';
import { safeText } from './safe-text.ts';

const NAMES: Readonly<Record<DifferenceName, { readonly title: string; readonly meaning: string }>> = {
  code: { title: 'code', meaning: 'Instructions or constants: the sources or the settings differ.' },
  immutable: { title: 'immutable', meaning: 'A value set by the constructor. It may differ.' },
  library: {
    title: 'library address',
    meaning: 'A placeholder for the address of a library. It may differ.',
  },
  call_protection: { title: 'call protection', meaning: 'Own address of the library. It may differ.' },
  metadata: {
    title: 'metadata',
    meaning:
      'The hash of the sources and settings. If only this differs, code and sources match except for comments, names or paths.',
  },
  constructor_arguments: {
    title: 'constructor arguments',
    meaning: 'They follow the creation code and may have any value.',
  },
  length: { title: 'length', meaning: 'One bytecode is longer than the other.' },
};
/** Characters. */
const MAX_SETTING_LENGTH = 600;
const REGIONS_OF_API: Readonly<Record<string, DifferenceName>> = { auxdata: 'metadata' };

/** Why a job did not match: where the codes differ first, how often, and what they say of their compilers. */
export function viewDifference(
  { bytecodes, error, finishedAt }: JobRecord,
  original: OriginalSettings | null,
): Html | null {
  const { recompiledRuntime, onchainRuntime, recompiledCreation, onchainCreation } = bytecodes;
  const diff = error?.data?.['diff'];
  if (recompiledRuntime === null || onchainRuntime === null)
    return isJsonObject(diff) && finishedAt !== null ? codesAreGone() : null;
  const { offset, region } = isJsonObject(diff) ? diff : {};
  const codeAt = region === 'code' && typeof offset === 'number' ? offset : undefined;
  const codes = { recompiled: recompiledRuntime, onchain: onchainRuntime, codeAt };
  const runtime: ComparedCodes = { side: 'runtime', ...codes };
  const comparison = compareCodes(runtime);
  const first = isJsonObject(diff) ? placeOf(diff, comparison) : comparison.firstUnexplained;
  return html`<h2>Bytecode differences</h2>
${first === null ? html`<p>The runtime code is identical except for values set by the deployment.</p>` : viewPlace(runtime, comparison, first)}
${viewCounts('Runtime code', comparison)}
${recompiledCreation === null || onchainCreation === null ? null : viewCounts('Creation code', compareCodes({ side: 'creation', recompiled: recompiledCreation, onchain: onchainCreation }))}
${viewTraits(recompiledRuntime, onchainRuntime)}
${original === null ? null : viewSettings(bytecodes.recompiledSettings, original)}`;
}

function codesAreGone(): Html {
  return html`<h2>Bytecode differences</h2>
<p class="muted">Bytecode of failed verifications is stored for a limited time, and that of this one has been removed. Submit again to see it.</p>`;
}

/** What the job found with all that the compiler told counts before what the bytes alone tell. */
function placeOf(diff: Readonly<Record<string, unknown>>, { places }: CodeComparison): DifferentPlace | null {
  const { offset, region } = diff;
  if (typeof offset !== 'number' || typeof region !== 'string') return null;
  const same = places.find(({ start, end }) => offset >= start && offset < end);
  const name = REGIONS_OF_API[region] ?? (region in NAMES ? (region as DifferenceName) : 'code');
  return { name, start: offset, end: Math.max(same?.end ?? 0, offset + 1) };
}

function viewPlace(
  { recompiled, onchain }: ComparedCodes,
  comparison: CodeComparison,
  place: DifferentPlace,
): Html {
  const { title, meaning } = NAMES[place.name];
  const excerpt = excerptAround(recompiled, onchain, place.start);
  const other = (lines: readonly CodeLine[]) => lines.map(({ bytes }) => bytes);
  return html`<p>The first difference that matters is at byte <strong>${place.start}</strong>, in: <strong>${title}</strong>. ${meaning}</p>
${
  place.start >= Math.max(recompiled.length, onchain.length)
    ? html`<p class="muted">It is behind the first ${MAX_KEPT_CODE} bytes, which are kept of each code.</p>`
    : html`<div class="sides">
${viewSide('Your compilation', recompiled.length, excerpt.recompiled, other(excerpt.onchain), comparison)}
${viewSide('On chain', onchain.length, excerpt.onchain, other(excerpt.recompiled), comparison)}
</div>`
}`;
}

function viewSide(
  caption: string,
  length: number,
  lines: readonly CodeLine[],
  others: readonly CodeLine['bytes'][],
  { places }: CodeComparison,
): Html {
  return html`<figure><figcaption>${caption}, ${length === MAX_KEPT_CODE ? 'the first ' : ''}${length} bytes</figcaption>
<pre tabindex="0">${lines.map(
    ({ offset, bytes }, row) =>
      html`<span class="place">${offset.toString().padStart(6)}</span> ${bytes.map((byte, column) => {
        if (byte === null) return null;
        if (byte === others[row]?.[column]) return ` ${byte}`;
        const at = offset + column;
        const name = places.find(({ start, end }) => at >= start && at < end)?.name ?? 'code';
        const isExplained = name !== 'code' && name !== 'length';
        return isExplained
          ? html` <mark class="explained" title="${NAMES[name].title}">${byte}</mark>`
          : html` <mark>${byte}</mark>`;
      })}
`,
  )}</pre></figure>`;
}

function viewCounts(caption: string, comparison: CodeComparison): Html {
  const { places, equalStart, equalEnd, recompiledLength, onchainLength } = comparison;
  const names = [...new Set(places.map(({ name }) => name))];
  const isCut = Math.max(recompiledLength, onchainLength) >= MAX_KEPT_CODE;
  const where = isCut ? ` in the first ${MAX_KEPT_CODE} bytes, which are kept` : '';
  if (names.length === 0) return html`<p><strong>${caption}:</strong> no difference${where}.</p>`;
  const isMoved = recompiledLength !== onchainLength && equalEnd > 0 && names.includes('code');
  return html`<div class="wide-table" tabindex="0" role="region" aria-label="${caption}"><table class="data"><caption>${caption}: ${places.length} ${places.length === 1 ? 'place differs' : 'places differ'}</caption>
<thead><tr><th scope="col">What</th><th scope="col" class="number">Places</th><th scope="col" class="number">Bytes</th><th scope="col">First at</th><th scope="col">What it means</th></tr></thead>
<tbody>${names.map((name) => {
    const own = places.filter((place) => place.name === name);
    const bytes = own.reduce((sum, { start, end }) => sum + end - start, 0);
    return html`<tr><th scope="row">${NAMES[name].title}</th><td class="number">${own.length}</td><td class="number">${bytes}</td><td>${own[0]?.start ?? 0}</td><td class="words">${NAMES[name].meaning}</td></tr>
`;
  })}</tbody></table></div>
${isMoved ? html`<p class="small muted">The lengths differ: inserted or omitted bytes shift everything after them. The first ${equalStart} bytes and the last ${equalEnd} before the metadata are identical.</p>` : null}`;
}

function viewTraits(recompiled: Uint8Array, onchain: Uint8Array): Html {
  const missing = 'not specified';
  return html`<h2>Compiler information in the bytecode</h2>
<div class="wide-table" tabindex="0" role="region" aria-label="Compiler information in the bytecode"><table class="data">
<thead><tr><th scope="col">What</th><th scope="col">Your compilation</th><th scope="col">On chain</th></tr></thead>
<tbody>${compareSettings(recompiled, onchain).map(
    (setting) =>
      html`<tr><th scope="row">${setting.name}</th><td class="long">${setting.recompiled ?? missing}</td><td class="long${setting.differs ? ' differs' : ''}">${setting.onchain ?? missing}${setting.differs ? html` <span class="unseen">(differs)</span>` : null}</td></tr>
`,
  )}</tbody></table></div>`;
}

const ABSENT: Readonly<Record<Exclude<OriginalSettings['kind'], 'found'>, string>> = {
  unnamed: 'The on-chain bytecode references no metadata, so its compiler settings are unknown.',
  'not-asked':
    'The on-chain bytecode references metadata with its compiler settings, but this server has no IPFS gateway to fetch them.',
  missing:
    'The on-chain bytecode references metadata with its compiler settings, but the IPFS gateway does not have them.',
};

/** Optimizer and remappings stand in no code: they come from the metadata. */
function viewSettings(submitted: NamedSettings | null, original: OriginalSettings): Html | null {
  const theirs = original.kind === 'found' ? original.settings : null;
  if (submitted === null && theirs === null) return null;
  const title = 'Settings';
  const rows = settingsOfBoth(submitted ?? [], theirs ?? []);
  const isCompared = submitted !== null && theirs !== null;
  const others = isCompared ? rows.filter((row) => row.submitted !== row.original) : [];
  const value = (text: string | null) =>
    text === null ? '–' : html`<bdi>${safeText(text, MAX_SETTING_LENGTH)}</bdi>`;
  return html`<h2>${title}</h2>
${
  isCompared
    ? html`<p>${others.length === 0 ? 'All settings match: the sources differ.' : html`<strong>${others.length} ${others.length === 1 ? 'setting differs' : 'settings differ'}</strong> from those in the metadata of the on-chain bytecode. Submit with those on the right.`}</p>`
    : html`<p class="muted">${original.kind === 'found' ? 'The settings of your compilation are unknown.' : ABSENT[original.kind]}</p>`
}
<div class="wide-table" tabindex="0" role="region" aria-label="${title}"><table class="data">
<thead><tr><th scope="col">Setting</th>${submitted === null ? null : html`<th scope="col">Your compilation</th>`}${theirs === null ? null : html`<th scope="col">On chain</th>`}</tr></thead>
<tbody>${rows.map((row) => {
    const differs = others.includes(row);
    return html`<tr><th scope="row">${row.name}</th>${submitted === null ? null : html`<td class="long">${value(row.submitted)}</td>`}${theirs === null ? null : html`<td class="long${differs ? ' differs' : ''}">${value(row.original)}${differs ? html` <span class="unseen">(differs)</span>` : null}</td>`}</tr>
`;
  })}</tbody></table></div>`;
}
