import { type Html, html } from '../../pages/html.ts';
import { renderSitePage, type Site } from '../../pages/site/site-page.ts';
import { checksumAddress } from '../address.ts';
import { printApiTime } from '../api-time.ts';
import type { JobMatch, JobRecord } from '../jobs/queue/job-repository.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import { overallMatch } from '../match/compiled-code.ts';
import type { OriginalSettings } from '../mismatch/metadata-settings.ts';
import { failureMessage } from '../model/job-failure.ts';
import type { JobStage } from '../model/job-progress.ts';
import type { FollowedJob } from '../verify-service.ts';
import { viewDifference } from './difference-view.ts';
import { FAILURE_MESSAGES } from './failure-words.ts';
import { safeText } from './safe-text.ts';
import { JOB_SCRIPT, SUBMIT_SHEET } from './submit-assets.ts';

/** What the page about a job is made of beside the job. */
export interface JobPageParts {
  readonly site: Site;
  /** Name of a chain for people; null when it is not configured any more. */
  readonly chainName: (chainId: string) => string | null;
  /** Where pages about contracts lie, without a trailing slash. */
  readonly contractPages: string;
}

const STAGES: readonly (readonly [stage: 'queued' | JobStage, text: string])[] = [
  ['queued', 'Waiting'],
  ['fetching', 'Reading the chain'],
  ['compiling', 'Compiling'],
  ['matching', 'Comparing'],
  ['storing', 'Storing'],
];
/** Compilers repeat whole files in their messages. Characters. */
const MAX_SAID_LENGTH = 8000;
const MAX_ERRORS = 20;
const RELOAD_SECONDS = 3;

/**
 * `GET /verify-ui/jobs/{id}`: how a verification goes, and how it ended.
 *
 * @param original what the metadata of the code on chain tell; null where no codes are compared.
 */
export function renderJobPage(
  parts: JobPageParts,
  followed: FollowedJob,
  original: OriginalSettings | null = null,
): string {
  const { record } = followed;
  const isRunning = record.finishedAt === null;
  return renderSitePage(parts.site, {
    title: titleOf(record),
    section: 'verify',
    isHiddenFromSearch: true,
    sheets: [SUBMIT_SHEET],
    ...(isRunning ? { scripts: [JOB_SCRIPT], head: reload() } : {}),
    main: html`${isRunning ? viewRunning(parts, followed) : viewEnd(parts, record)}
${viewWarnings(isRunning ? (followed.activity?.warnings ?? record.warnings) : record.warnings)}
${record.match === null && record.error !== null ? viewDifference(record, original) : null}
${viewFacts(parts, record)}`,
  });
}

/** Without scripts the page looks again by itself. */
function reload(): Html {
  return html`<noscript><meta http-equiv="refresh" content="${RELOAD_SECONDS}"></noscript>`;
}

function titleOf({ finishedAt, match }: JobRecord): string {
  if (finishedAt === null) return 'Verification runs';
  return match === null ? 'Not verified' : 'Verified';
}

function viewRunning({ site }: JobPageParts, { record, activity }: FollowedJob): Html {
  const stage = record.queuePosition === null ? (activity?.stage ?? 'fetching') : 'queued';
  const ahead = (record.queuePosition ?? 1) - 1;
  return html`<div class="banner is-maintenance" data-job="${site.root}/v2/verify/${record.id}"><h1>Verifying…</h1>
<ol class="steps">${STAGES.map(
    ([name, text]) =>
      html`<li data-stage="${name}"${name === stage ? html` aria-current="step"` : null}>${text}</li>`,
  )}</ol>
<p id="place" role="status">${record.queuePosition === null ? null : `Waiting; ${ahead === 0 ? 'next in the queue' : `${ahead} ahead in the queue`}.`}</p>
<p class="small muted">Updates automatically. <a href="">Refresh</a></p></div>`;
}

function viewEnd(parts: JobPageParts, record: JobRecord): Html {
  const { match, error } = record;
  const address = checksumAddress(record.address);
  const contract = html`${parts.contractPages}/${record.chainId}/${address}`;
  if (match !== null) return viewMatch(match, contract);
  if (error === null) return html`<div class="banner is-no-data"><h1>Verification finished</h1></div>`;
  const { title, meaning, remedies } = FAILURE_MESSAGES[error.code];
  const isFine = error.code === 'already_verified';
  const hint: unknown = error.data?.['hint'];
  // Code that is no such contract at all: the sources and their settings are not at fault.
  const isNamed = error.data?.['onchainKind'] !== undefined;
  const text = failureMessage(error, { chainId: record.chainId, address });
  return html`<div class="banner ${isFine ? 'is-operational' : 'is-major'}"><h1>${title}</h1>
${isNamed ? null : html`<p>${meaning}</p>`}
${isFine ? html`<p><a class="button" href="${contract}">View contract</a></p>` : null}</div>
${error.code === 'compiler_error' ? viewCompilerErrors(error.data) : isFine || typeof hint === 'string' ? null : html`<p class="small muted said-by-api"><bdi>${safeText(text, MAX_SAID_LENGTH)}</bdi></p>`}
<h2>What to try</h2>
<ul>${typeof hint === 'string' ? html`<li><strong>${safeText(hint, MAX_SAID_LENGTH)}</strong></li>` : null}
${(isNamed ? [] : remedies).map((remedy) => html`<li>${remedy}</li>`)}</ul>
${isFine ? null : html`<p><a class="button" href="${parts.site.root}/verify-ui?chainId=${record.chainId}&amp;address=${address}">Submit again</a></p>`}`;
}

function viewMatch(match: JobMatch, contract: Html): Html {
  const isExact = overallMatch(match.creation, match.runtime) === 'exact_match';
  return html`<div class="banner is-operational"><h1>Verified: ${isExact ? 'exact match' : 'match'}</h1>
<p>${
    isExact
      ? 'The on-chain bytecode was compiled from exactly these sources: the hash in the bytecode matches, down to comments and names.'
      : 'The on-chain bytecode behaves as these sources. Comments, names or paths may differ, since no source hash in the bytecode matches.'
  }</p>
<ul class="chips"><li>runtime code: ${printGrade(match.runtime)}</li><li>creation code: ${printGrade(match.creation)}</li></ul>
<p><a class="button" href="${contract}">View contract</a></p></div>`;
}

function printGrade(grade: JobMatch['runtime']): string {
  if (grade === null) return 'no match, or unknown';
  return grade === 'exact_match' ? 'exact match' : 'match';
}

function viewCompilerErrors(data: JsonObject | null): Html {
  const errors: unknown = data?.['compilerErrors'];
  const omitted = Number(data?.['omittedCompilerErrors'] ?? 0);
  const list = Array.isArray(errors) ? errors : [data?.['compilerErrorMessage']];
  const texts = list.map((each) =>
    String(isJsonObject(each) ? (each['formattedMessage'] ?? each['message'] ?? '') : (each ?? '')).trim(),
  );
  const shown = texts.filter((each) => each !== '').slice(0, MAX_ERRORS);
  const more = texts.length - shown.length + omitted;
  return html`<h2>Compiler output</h2>
${shown.map(
  (each) => html`<pre class="said" dir="ltr" tabindex="0">${safeText(each, MAX_SAID_LENGTH)}</pre>
`,
)}
${shown.length === 0 ? html`<p class="muted">Nothing.</p>` : null}
${more > 0 ? html`<p class="muted">And ${more} more.</p>` : null}`;
}

function viewWarnings(warnings: readonly string[]): Html | null {
  if (warnings.length === 0) return null;
  return html`<h2>Warnings</h2>
<ul>${warnings.map((warning) => html`<li><bdi>${safeText(warning, MAX_SAID_LENGTH)}</bdi></li>`)}</ul>`;
}

function viewFacts({ site, chainName, contractPages }: JobPageParts, record: JobRecord): Html {
  const address = checksumAddress(record.address);
  const name = chainName(record.chainId);
  const api = `${site.root}/v2/verify/${record.id}`;
  return html`<h2>This verification</h2>
<dl class="facts">
<dt>Contract</dt><dd><a class="code" href="${contractPages}/${record.chainId}/${address}">${address}</a></dd>
<dt>Chain</dt><dd>${name === null ? record.chainId : `${name} (${record.chainId})`}</dd>
<dt>Submitted</dt><dd>${printTime(record.startedAt)}</dd>
${record.finishedAt === null ? null : html`<dt>Finished</dt><dd>${printTime(record.finishedAt)}</dd>`}
${record.compilationMs === null ? null : html`<dt>Compilation</dt><dd>${record.compilationMs} ms</dd>`}
<dt>Id</dt><dd class="code">${record.id}</dd>
${record.error === null ? null : html`<dt>Error</dt><dd><code>${record.error.code}</code>, error id <span class="code">${record.error.id}</span></dd>`}
<dt>API request</dt><dd><a class="code" href="${api}">GET ${api}</a>${record.bytecodes.onchainRuntime === null ? null : ', with both bytecodes in full'}</dd>
</dl>`;
}

function printTime(time: number): Html {
  const text = printApiTime(time);
  return html`<time datetime="${text}">${text.replace('T', ' ').replace('Z', ' UTC')}</time>`;
}
