import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { namesType } from '../../http/accept.ts';
import { asksToComeAgain } from '../../http/answers/error-answers.ts';
import type { ErrorAnswer } from '../../http/area.ts';
import { html } from '../../pages/html.ts';
import { serveAssets } from '../../pages/site/assets.ts';
import { renderSitePage, type Site, sendSitePage } from '../../pages/site/site-page.ts';
import { checksumAddress, normaliseAddress } from '../address.ts';
import { type FormBody, isFormBody, NO_FORM } from '../bodies/form-body.ts';
import { orderChains } from '../chain-view.ts';
import { evmVersionsOf } from '../compile/evm-versions.ts';
import type { Availability, StockedCompiler } from '../compile/supply/compiler-management.ts';
import { type RequestErrorCode, STATUS_OF_CODE, VerifyRequestError } from '../errors.ts';
import { addFormParsers } from '../forms/form-parsers.ts';
import { isJsonObject } from '../json-object.ts';
import { MEMBER_BYTES } from '../model/submission.ts';
import * as schemas from '../schemas.ts';
import type { VerifyContext } from '../verify-context.ts';
import type { VerifyScope } from '../verify-scope.ts';
import type { VerifyService } from '../verify-service.ts';
import { type JobPageParts, renderJobPage } from './job-page.ts';
import { readEntered } from './read-entered.ts';
import { safeText } from './safe-text.ts';
import { SUBMIT_ASSETS, SUBMIT_SHEET } from './submit-assets.ts';
import { emptyState, renderChoicePage, renderSubmitPage, type SubmitPageParts } from './submit-page.ts';

/** Members of the address of the page that fill its form. */
const FILLED = ['chainId', 'address', 'creationTransactionHash', 'kind', 'contract', 'compilerVersion'];
const MAX_FILLED_LENGTH = 300;
const page = { compress: false, schema: { hide: true } } as const;

/**
 * Pages for people who verify a contract: the form, and how its job goes.
 *
 * Like the API they take submissions from pages of every origin: nobody is logged in here, so there is nothing that
 * another site could do in somebody's name.
 *
 * @see docs/adr/0024-pages.md
 */
export function addSubmitRoutes(scope: VerifyScope, context: VerifyContext): void {
  const { site, service, stock } = context;
  const { jobPagesUrl } = context.options;
  serveAssets(scope as never, SUBMIT_ASSETS);
  scope.register(async (instance) => {
    const inner = instance as unknown as VerifyScope;
    addFormParsers(inner, context);
    inner.setErrorHandler((error, request, reply) => {
      if (!wantsPage(request)) throw error;
      const answer = context.errors.fromError(error, request);
      if (answer.statusCode >= 500 && !asksToComeAgain(answer))
        request.log.error({ err: error, answer: answer.body }, 'page failed');
      for (const [name, value] of Object.entries(answer.headers ?? {})) reply.header(name, value);
      const { statusCode } = answer;
      return sendSitePage(request, reply, errorPage(site, answer), { statusCode, caching: 'no-store' });
    });
    addJobPage(inner, context);
    inner.get('/verify-ui/compilers', page, async (request, reply) =>
      sendSitePage(request, reply, renderCompilersPage(site, await stock.list())),
    );
    if (jobPagesUrl === null) addForm(inner);
    else inner.get('/verify-ui', page, (_request, reply) => reply.redirect(jobPagesUrl, 302));
  });

  function addForm(inner: VerifyScope): void {
    const pageParts = async (): Promise<SubmitPageParts> => ({
      site,
      chains: orderChains(context.chains).filter(({ supported }) => supported),
      versions: [...new Set((await stock.list()).map(({ version }) => version))],
    });
    inner.get('/verify-ui', page, async (request, reply) =>
      sendSitePage(request, reply, renderSubmitPage(await pageParts(), emptyState(filled(request.query)))),
    );
    inner.post(
      '/verify-ui',
      { ...page, config: { bodyKind: 'verification_page' }, validatorCompiler: () => () => true },
      async (request, reply) => {
        const answer = await submitEntered(service, await pageParts(), contractPages(context), request);
        if (answer.kind === 'accepted')
          return reply.redirect(`${site.root}/verify-ui/jobs/${answer.id}`, 303);
        if (answer.retryAfterSeconds !== null) reply.header('retry-after', answer.retryAfterSeconds);
        return sendSitePage(request, reply, answer.page, {
          statusCode: answer.statusCode,
          caching: 'no-store',
        });
      },
    );
  }
}

/** A page for people; programs that follow the link get the record, as ever. */
function addJobPage(inner: VerifyScope, context: VerifyContext): void {
  const { site, service } = context;
  const { jobPagesUrl } = context.options;
  const names = new Map(context.chains.map(({ chainId, title, name }) => [chainId, title ?? name]));
  const job: JobPageParts = {
    site,
    chainName: (chainId) => names.get(chainId) ?? null,
    contractPages: contractPages(context),
  };
  inner.get(
    '/verify-ui/jobs/:verificationId',
    {
      compress: false,
      schema: {
        hide: true,
        querystring: schemas.NoQuery,
        params: Type.Object({ verificationId: schemas.VerificationId }),
      },
    },
    async (request, reply) => {
      const { verificationId } = request.params;
      reply.header('vary', 'Accept');
      if (jobPagesUrl !== null) return reply.redirect(`${jobPagesUrl}/jobs/${verificationId}`, 302);
      if (!wantsPage(request)) return reply.redirect(`${site.root}/v2/verify/${verificationId}`, 302);
      const followed = await service.look(verificationId);
      const { match, bytecodes } = followed.record;
      const { onchainRuntime, recompiledRuntime } = bytecodes;
      const isCompared = match === null && onchainRuntime !== null && recompiledRuntime !== null;
      const original = isCompared ? await context.findOriginalSettings(onchainRuntime) : null;
      return sendSitePage(request, reply as FastifyReply, renderJobPage(job, followed, original), {
        caching: 'no-store',
      });
    },
  );
}

function contractPages({ site, options }: VerifyContext): string {
  return options.contractPagesUrl ?? `${site.root}/repo-ui`;
}

function wantsPage({ headers }: FastifyRequest): boolean {
  return namesType(headers.accept, 'text/html');
}

/** Others fill the form by a link; what is no text of sensible length is left out. */
function filled(query: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(query as Readonly<Record<string, unknown>>);
  return Object.fromEntries(
    entries.filter(
      (entry): entry is [string, string] =>
        FILLED.includes(entry[0]) && typeof entry[1] === 'string' && entry[1].length <= MAX_FILLED_LENGTH,
    ),
  );
}

const NAMES = { solc: 'Solidity', vyper: 'Vyper', fe: 'Fe' } as const;
const READY: Readonly<Record<Availability, string>> = {
  bundled: 'here',
  folder: 'here',
  kept: 'here',
  fetchable: 'downloaded when needed',
};

/** `GET /verify-ui/compilers`: what verifications can be compiled with. */
function renderCompilersPage(site: Site, compilers: readonly StockedCompiler[]): string {
  const languages = (['solc', 'vyper', 'fe'] as const).map((language) => ({
    language,
    own: compilers.filter((compiler) => compiler.language === language),
  }));
  return renderSitePage(site, {
    title: 'Compilers',
    section: 'verify',
    sheets: [SUBMIT_SHEET],
    main: html`<h1>Compilers</h1>
<p>Compilers available for verification. The operator of this server can add missing versions.
<a href="${site.root}/verify-ui">Verify a contract</a></p>
${languages.map(
  ({ language, own }) => html`<h2>${NAMES[language]}</h2>
${
  own.length === 0
    ? html`<p class="muted">None. Contracts in ${NAMES[language]} cannot be verified here.</p>`
    : html`<div class="wide-table" tabindex="0" role="region" aria-label="Compilers of ${NAMES[language]}"><table class="data compilers">
<thead><tr><th scope="col">Version</th><th scope="col">Kind</th><th scope="col">Ready</th><th scope="col">From</th><th scope="col">EVM versions</th></tr></thead>
<tbody>${own.map(
        ({ version, kind, availability, from }) =>
          html`<tr><th scope="row" class="code">${version}</th><td>${kind === 'wasm' ? 'WebAssembly' : 'executable'}</td><td>${READY[availability]}</td><td>${from}</td><td>${range(evmVersionsOf(language, version))}</td></tr>
`,
      )}</tbody></table></div>`
}
`,
)}
<p class="small muted">API request: <a class="code" href="${site.root}/v2/compilers">GET ${site.root}/v2/compilers</a></p>`,
  });
}

/** Each compiler takes all versions from the first to its newest. */
function range(versions: readonly string[] | null): string {
  if (versions === null) return '—';
  return `${versions[0]} to ${versions.at(-1)}`;
}

const MAX_MESSAGE_LENGTH = 2000;

/** A refusal as a page, with the next step. */
function errorPage(site: Site, { statusCode, body }: ErrorAnswer): string {
  const { message, errorId, customCode } = isJsonObject(body) ? body : {};
  const isUnknown = statusCode === 404;
  const title = isUnknown ? 'Verification not found' : statusCode >= 500 ? 'Server error' : 'Request failed';
  return renderSitePage(site, {
    title,
    section: 'verify',
    isHiddenFromSearch: true,
    main: html`<h1>${title}</h1>
<p><bdi>${safeText(String(message ?? ''), MAX_MESSAGE_LENGTH)}</bdi></p>
<p>${
      isUnknown
        ? 'Check the address of this page. The verification may be on a different server, or its database was recreated.'
        : null
    } <a href="${site.root}/verify-ui">Verify a contract</a></p>
<p class="small muted">Status ${statusCode}, <code>${String(customCode ?? '')}</code>, error id <span class="code">${String(errorId ?? '')}</span></p>`,
  });
}

/** What becomes of a form: a job, or a page that asks on. */
type SubmitAnswer =
  | { readonly kind: 'accepted'; readonly id: string }
  | {
      readonly kind: 'page';
      readonly statusCode: number;
      readonly page: string;
      readonly retryAfterSeconds: number | null;
    };

/** The field that a refusal of the service is about; the form as a whole for all others. */
const FIELD_OF_CODE: Partial<Record<RequestErrorCode, string>> = {
  unsupported_chain: 'chainId',
  cannot_fetch_bytecode: 'address',
};

const heldBytesOfEntry = ([name, text]: readonly [string, string]) =>
  2 * (name.length + text.length) + MEMBER_BYTES;

/** Reads a form; its submission is not held once it was taken, while a node takes its time. */
function readOnce({ body, dropBody }: FastifyRequest) {
  const form: FormBody = isFormBody(body) ? body : NO_FORM;
  const { outcome, ...shown } = form.entered ?? readEntered(form);
  if (outcome.kind !== 'ready') return { ...shown, outcome };
  const held = { submission: outcome.submission as typeof outcome.submission | null };
  const read = () => {
    const { submission } = held;
    held.submission = null;
    if (submission === null) throw new Error('The submission was taken already');
    return submission;
  };
  // Of a large form nothing else is held as it is.
  if (form.entered !== undefined)
    return { ...shown, outcome: { kind: outcome.kind, read, dropBody: undefined } };
  const shownBytes = Object.entries(shown.values).reduce((sum, entry) => sum + heldBytesOfEntry(entry), 0);
  const drop = (keptBytes: number) => dropBody?.(keptBytes + shownBytes);
  return { ...shown, outcome: { kind: outcome.kind, read, dropBody: drop } };
}

/** Stores the job of a form, or says what is missing. */
async function submitEntered(
  service: VerifyService,
  parts: SubmitPageParts,
  contractPages: string,
  request: FastifyRequest,
): Promise<SubmitAnswer> {
  const { values, isCut, outcome } = readOnce(request);
  const chainId = (values['chainId'] ?? '').trim();
  const address = (values['address'] ?? '').trim();
  switch (outcome.kind) {
    case 'faulty':
      return aPage(400, renderSubmitPage(parts, { values, isCut, faults: outcome.faults, help: null }));
    case 'choose':
      return aPage(200, renderChoicePage(parts, { ...outcome, values }));
    case 'ready':
      break;
  }
  const creation = (values['creationTransactionHash'] ?? '').trim().toLowerCase();
  try {
    service.requireRoom(request.ip);
    const id = await service.submit(chainId, address, {
      creationTransactionHash: creation === '' ? undefined : creation,
      clientAddress: request.ip,
      read: outcome.read,
      dropBody: outcome.dropBody,
      needsCode: values['kind'] === 'similarity',
    });
    return { kind: 'accepted', id };
  } catch (error) {
    if (!(error instanceof VerifyRequestError)) throw error;
    const code = error.code as RequestErrorCode;
    const faults = [{ field: FIELD_OF_CODE[code] ?? null, text: error.message }];
    const contract = `${contractPages}/${chainId}/${checksumAddress(normaliseAddress(address))}`;
    const help =
      code === 'already_verified'
        ? html`<p><a class="button" href="${contract}">View contract</a></p>`
        : null;
    const page = renderSubmitPage(parts, { values, isCut, faults, help });
    return aPage(STATUS_OF_CODE[code], page, error.retryAfterSeconds);
  }
}

function aPage(statusCode: number, page: string, retryAfterSeconds: number | null = null): SubmitAnswer {
  return { kind: 'page', statusCode, page, retryAfterSeconds };
}
