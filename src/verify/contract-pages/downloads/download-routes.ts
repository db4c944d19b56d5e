import type { FastifyReply, FastifyRequest } from 'fastify';
import { isLargeJson, printInPieces } from '../../../http/answers/json-pieces.ts';
import { sendJson } from '../../../http/answers/piecewise-answer.ts';
import type { StoredContract } from '../../contracts/contract-repository.sql.ts';
import { viewContract } from '../../contracts/contract-view.ts';
import { lookUpContract } from '../../contracts/look-up-contract.ts';
import type { ShowContract } from '../../redirect-routes.ts';
import type { VerifyContext } from '../../verify-context.ts';
import type { VerifyScope } from '../../verify-scope.ts';
import { PageProblem, type Place, readText } from '../read-place.ts';
import { type ZippedFile, zipFiles } from './zip-files.ts';

/** What the routes of the pages lend. */
interface RouteFrame {
  readonly shown: (show: ShowContract) => ShowContract;
  /** @throws PageProblem */
  readonly placeOf: (request: FastifyRequest) => Place;
}

/** Sources of a contract as files. */
export function addDownloadRoutes(
  scope: VerifyScope,
  context: VerifyContext,
  { shown, placeOf }: RouteFrame,
): void {
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
    return reply.send(zipFiles(filesOf(contract)));
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
    { path: 'abi.json', content: readable(artifacts['abi'] ?? []) },
  ];
}

/** Indented for people, unless it is so large that printing it in one go would hold up everybody else. */
function readable(value: unknown): string | Iterable<string> {
  return isLargeJson(value) ? printInPieces(value) : JSON.stringify(value, null, 2);
}
