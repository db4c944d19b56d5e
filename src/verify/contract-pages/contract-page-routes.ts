import type { FastifyReply, FastifyRequest } from 'fastify';
import { isLargeJson, printInPieces } from '../../http/answers/json-pieces.ts';
import { sendJson } from '../../http/answers/piecewise-answer.ts';
import { serveAssets } from '../../pages/site/assets.ts';
import { sendSitePage } from '../../pages/site/site-page.ts';
import { isStorageError } from '../../values/storage-errors.ts';
import { isAddress, normaliseAddress } from '../address.ts';
import type { StoredContract } from '../contracts/contract-repository.sql.ts';
import { viewContract } from '../contracts/contract-view.ts';
import { lookUpContract } from '../contracts/look-up-contract.ts';
import { type RequestErrorCode, STATUS_OF_CODE, VerifyRequestError } from '../errors.ts';
import type { ShowContract } from '../redirect-routes.ts';
import type { VerifyContext } from '../verify-context.ts';
import type { VerifyScope } from '../verify-scope.ts';
import type { SourceColours } from './colour/source-colours.ts';
import { ContractPages } from './contract-pages.ts';
import { type ZippedFile, zipFiles } from './downloads/zip-files.ts';
import { type Problem, renderFound, renderProblem, renderUnverified } from './other-pages.ts';
import { CONTRACT_ASSETS } from './pages-assets.ts';
import { PageProblem, type Place, readChain, readPlace, readText } from './read-place.ts';

const hidden = { compress: false, schema: { hide: true } } as const;
const NUMBER = /^\d{1,19}$/;

/**
 * Pages about verified contracts and lists of them.
 *
 * @returns what shows a contract; its route is that of the links which clients print, and leads programs elsewhere.
 * @see docs/adr/0024-pages.md
 */
export function addContractPageRoutes(
  scope: VerifyScope,
  context: VerifyContext,
  colours: SourceColours,
): ShowContract {
  const pages = new ContractPages(context, colours);
  const chainOf = context.service.findChain;

  /** Problems become pages; what nobody foresaw is told by the server as everywhere. */
  const shown =
    (show: ShowContract): ShowContract =>
    async (request, reply) => {
      try {
        return await show(request, reply);
      } catch (error) {
        const problem = problemOf(error);
        if (problem === null) throw error;
        const { retryAfterSeconds = null, statusCode } = problem;
        if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds);
        return sendSitePage(request, reply, renderProblem(context, problem), { statusCode });
      }
    };
  const get = (path: string, show: ShowContract) => scope.get(path, hidden, shown(show));
  const placeOf = ({ params }: FastifyRequest): Place => readPlace(params, chainOf);
  const sendUnverified = (request: FastifyRequest, reply: FastifyReply, place: Place) => {
    const { chainId, checksummed: address, chain } = place;
    const page = renderUnverified(context, { chainId, address, isSupported: chain.settings.supported });
    return sendSitePage(request, reply, page, { statusCode: 404, vary: 'Accept, Accept-Encoding' });
  };

  serveAssets(scope, CONTRACT_ASSETS);
  addDownloadRoutes(scope, context, { shown, placeOf });

  get('/repo-ui', async (request, reply) => {
    const address = readText(request.query, 'address')?.trim();
    if (address === undefined || address === '') {
      return sendSitePage(request, reply, await pages.recent(null, readBefore(request)));
    }
    if (!isAddress(address)) throw new PageProblem(400, 'Not an address', NOT_AN_ADDRESS);
    const normalised = normaliseAddress(address);
    const matches = await context.contracts.listNamedOfAddress(normalised);
    const known = matches.filter(({ chainId }) => chainOf(chainId) !== undefined);
    return sendSitePage(request, reply, renderFound(context, normalised, known));
  });
  get('/repo-ui/:chainId', async (request, reply) => {
    const { chainId = '' } = request.params as { readonly chainId?: string };
    readChain(chainId, chainOf);
    return sendSitePage(request, reply, await pages.recent(chainId, readBefore(request)));
  });
  get('/repo-ui/:chainId/:address/proxy', async (request, reply) => {
    const place = placeOf(request);
    const page = await pages.proxy(place);
    return page === null ? sendUnverified(request, reply, place) : sendSitePage(request, reply, page);
  });
  get('/repo-ui/:chainId/:address/similar', async (request, reply) =>
    sendSitePage(request, reply, await pages.similar(placeOf(request))),
  );

  return shown(async (request, reply) => {
    const place = placeOf(request);
    const page = await pages.contract(place, readText(request.query, 'file'));
    if (page === null) return sendUnverified(request, reply, place);
    return sendSitePage(request, reply, page, { vary: 'Accept, Accept-Encoding' });
  });
}

const NOT_AN_ADDRESS = 'An address is 0x and 40 hexadecimal digits.';

/** @throws PageProblem */
function readBefore({ query }: FastifyRequest): bigint | null {
  const before = readText(query, 'before');
  if (before === null) return null;
  if (NUMBER.test(before)) return BigInt(before);
  throw new PageProblem(400, 'Invalid page', 'The parameter before must be the number of a verification.');
}

function problemOf(error: unknown): Problem | null {
  if (error instanceof PageProblem) return error.problem;
  if (error instanceof VerifyRequestError) {
    const statusCode = STATUS_OF_CODE[error.code as RequestErrorCode];
    const { message: text, retryAfterSeconds } = error;
    return { statusCode, title: 'Temporarily unavailable', text, retryAfterSeconds };
  }
  if (isStorageError(error)) {
    const { message: text, retryAfterSeconds } = error;
    return { statusCode: 503, title: 'Temporarily unavailable', text, retryAfterSeconds };
  }
  return null;
}

/** What the routes of the pages lend. */
interface RouteFrame {
  readonly shown: (show: ShowContract) => ShowContract;
  /** @throws PageProblem */
  readonly placeOf: (request: FastifyRequest) => Place;
}

/** Sources of a contract as files. */
function addDownloadRoutes(scope: VerifyScope, context: VerifyContext, { shown, placeOf }: RouteFrame): void {
  const get = (name: string, show: ShowContract) =>
    scope.get(
      `/repo-ui/:chainId/:address/${name}`,
      // A zip is packed already.
      { schema: { hide: true }, ...(name.endsWith('.zip') ? { compress: false } : {}) },
      shown(show),
    );
  const find = async (request: FastifyRequest, reply: FastifyReply): Promise<StoredContract> => {
    const { chainId, address } = placeOf(request);
    const contract = await lookUpContract(context, chainId, address, reply.raw);
    if (contract === null)
      throw new PageProblem(404, 'Not verified', 'No sources are known for this address.');
    return contract;
  };

  get('sources.zip', async (request, reply) => {
    const contract = await find(request, reply);
    prepare(reply, contract, 'zip').type('application/zip');
    return reply.send(await zipFiles(filesOf(contract)));
  });
  get('standard-input.json', async (request, reply) => {
    const contract = await find(request, reply);
    prepare(reply, contract, 'input.json').type('application/json; charset=utf-8');
    return sendWhole(reply, viewContract(contract)['stdJsonInput']);
  });
  get('metadata.json', async (request, reply) => {
    const { chainId, address } = placeOf(request);
    const contract = await context.contracts.findCompiled(chainId, address);
    if (contract === null || contract.metadata === null) {
      throw new PageProblem(404, 'No metadata', 'The compiler printed no metadata for this contract.');
    }
    prepare(reply, contract, 'metadata.json').type('application/json; charset=utf-8');
    return reply.send(contract.metadata);
  });
  get('file', async (request, reply) => {
    const { chainId, address } = placeOf(request);
    const path = readText(request.query, 'path');
    const content = path === null ? null : await context.contracts.findSource(chainId, address, path);
    if (content === null) {
      throw new PageProblem(404, 'No such file', 'The contract was compiled without a file of this path.');
    }
    secure(reply).type('text/plain; charset=utf-8');
    return reply.send(content);
  });
}

/** Whatever strangers wrote, no browser makes a page of it. */
function secure(reply: FastifyReply): FastifyReply {
  return reply
    .header('cache-control', 'no-cache')
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; sandbox");
}

function prepare(
  reply: FastifyReply,
  { compilation: { name } }: Pick<StoredContract, 'compilation'>,
  ending: string,
): FastifyReply {
  const safe = name.replace(/[^\w$-]/g, '_').slice(0, 80) || 'contract';
  return secure(reply).header('content-disposition', `attachment; filename="${safe}.${ending}"`);
}

async function sendWhole(reply: FastifyReply, value: unknown): Promise<FastifyReply> {
  const sent = sendJson(reply, value);
  return sent === value ? reply.send(value) : (sent as FastifyReply);
}

/** The sources below a folder of their own, and what else is needed to verify them again. */
function filesOf(contract: StoredContract): readonly ZippedFile[] {
  const { sources, metadata, artifacts } = contract;
  const input = viewContract(contract)['stdJsonInput'];
  return [
    ...Object.entries(sources).map(([path, { content }]) => ({ path: `sources/${path}`, content })),
    { path: 'standard-input.json', content: readable(input) },
    ...(metadata === null ? [] : [{ path: 'metadata.json', content: metadata }]),
    { path: 'abi.json', content: readable(artifacts.value('abi') ?? []) },
  ];
}

/** Indented for people, unless it is so large that printing it in one go would hold up everybody else. */
function readable(value: unknown): string | Iterable<string> {
  return isLargeJson(value) ? printInPieces(value) : JSON.stringify(value, null, 2);
}
