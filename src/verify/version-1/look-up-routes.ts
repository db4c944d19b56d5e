import type { FastifyReply } from 'fastify';
import { sendJson } from '../../http/answers/piecewise-answer.ts';
import { checksumAddress, isAddress, normaliseAddress } from '../address.ts';
import type { StoredContract } from '../contracts/contract-repository.sql.ts';
import { lookUpContract, resolveStoredProxy } from '../contracts/look-up-contract.ts';
import { VerifyRequestError } from '../errors.ts';
import { goneSignal } from '../following/gone-signal.ts';
import type { ProxyResolution } from '../proxy/proxy-resolver.ts';
import { queryText } from '../query-text.ts';
import type { VerifyContext } from '../verify-context.ts';
import type { VerifyScope } from '../verify-scope.ts';
import {
  checkAll,
  checkExact,
  listBothKinds,
  listPage,
  type MatchStatus,
  readAddressCheck,
  readContractPage,
  statusOfMatch,
} from './list-contracts.ts';
import { describeRoute, type Version1RouteOptions } from './route-options.ts';

const CONTRACT = '/:chain/:address';

/** Look-ups of version 1. @see docs/adr/0002-reference-apis-first.md */
export function addVersion1LookUps(scope: VerifyScope, context: VerifyContext): void {
  const { contracts, service, site, scanTurns } = context;

  async function requireContract(
    params: unknown,
    { raw }: FastifyReply,
    isWanted: (status: MatchStatus) => boolean,
  ) {
    const { chain, address } = readContractPath(params);
    service.requireChain(chain);
    const contract = await lookUpContract(context, chain, normaliseAddress(address), raw);
    if (contract === null || !isWanted(statusOfMatch(contract.match))) throw notFound(NO_FILES);
    return contract;
  }

  const get = (
    urls: readonly [string, ...string[]],
    summary: string,
    answer: (
      request: { readonly params: unknown; readonly query: unknown },
      reply: FastifyReply,
    ) => Promise<unknown>,
  ) => {
    for (const [index, url] of urls.entries()) {
      const options: Version1RouteOptions = describeRoute(summary, index > 0);
      scope.get(url, options, async (request, reply) => {
        reply.header('cache-control', 'no-cache');
        const answered = await answer(request, reply);
        return answered === reply ? reply : sendJson(reply, answered);
      });
    }
  };

  get(
    ['/check-by-addresses', '/checkByAddresses'],
    'Exact matches of addresses (version 1)',
    async ({ query }) => checkExact(contracts, readAddressCheck(query)),
  );
  get(
    ['/check-all-by-addresses', '/checkAllByAddresses'],
    'Matches of addresses (version 1)',
    async ({ query }) => {
      const isResolving = queryText(query, 'resolveProxies') === 'true';
      return checkAll(contracts, readAddressCheck(query), async ({ chainId, address }) => {
        const contract = isResolving ? await contracts.findCompiled(chainId, address) : null;
        return contract === null ? {} : viewProxy(await resolveStoredProxy(context, contract));
      });
    },
  );

  const isAny = () => true;
  const isPerfect = (status: MatchStatus) => status === 'perfect';
  const statusWord = ({ match }: StoredContract) => (statusOfMatch(match) === 'perfect' ? 'full' : 'partial');
  const treeOf = (contract: StoredContract) =>
    listRepositoryFiles(contract).map(({ path }) => `${site.root}/repository/${path}`);

  get([`/files/any${CONTRACT}`], 'Files of a verified contract (version 1)', async ({ params }, reply) => {
    const contract = await requireContract(params, reply, isAny);
    return { status: statusWord(contract), files: listRepositoryFiles(contract) };
  });
  get([`/files/tree/any${CONTRACT}`], 'Paths of these files (version 1)', async ({ params }, reply) => {
    const contract = await requireContract(params, reply, isAny);
    return { status: statusWord(contract), files: treeOf(contract) };
  });
  get(
    [`/files/tree${CONTRACT}`],
    'Paths of the files of an exact match (version 1)',
    async ({ params }, reply) => treeOf(await requireContract(params, reply, isPerfect)),
  );
  get([`/files${CONTRACT}`], 'Files of an exact match (version 1)', async ({ params }, reply) =>
    listRepositoryFiles(await requireContract(params, reply, isPerfect)),
  );

  get(['/files/contracts/:chain'], 'Verified contracts of a chain (version 1)', async ({ params }, reply) => {
    const chain = requireChain(params);
    const lists = await scanTurns.run((scan) =>
      listBothKinds(contracts, chain, { scan, signal: goneSignal(reply.raw) }),
    );
    if (lists.full.length + lists.partial.length === 0) throw notFound('Contracts have not been found!');
    return lists;
  });
  const kinds = { any: null, full: 'perfect', partial: 'partial' } as const;
  for (const [kind, status] of Object.entries(kinds)) {
    const summary = `Pages of contracts of a chain: ${kind} (version 1)`;
    get([`/files/contracts/${kind}/:chain`], summary, async ({ params, query }, reply) => {
      const page = readContractPage(query);
      const chain = requireChain(params);
      const signal = goneSignal(reply.raw);
      return scanTurns.run((scan) => listPage(contracts, chain, status, page, { scan, signal }));
    });
  }

  get(
    [`/repository/contracts/:match${CONTRACT}/*`],
    'One file of a verified contract (version 1)',
    async ({ params }, reply) => {
      const { match, '*': path } = params as { readonly match: string; readonly '*': string };
      const files = listRepositoryFiles(await requireContract(params, reply, isAny));
      const file = files.find(
        (each) => each.path.startsWith(`contracts/${match}/`) && each.path.endsWith(`/${path}`),
      );
      // Another contract's file may end alike: the whole path below the address has to fit.
      if (file === undefined || file.path.split('/').slice(4).join('/') !== path) throw notFound(NO_FILES);
      const type = path === 'metadata.json' ? 'application/json' : 'text/plain';
      return reply
        .type(`${type}; charset=utf-8`)
        .header('x-content-type-options', 'nosniff')
        .send(file.content);
    },
  );

  function requireChain(params: unknown): string {
    const { chain } = params as { readonly chain: string };
    service.requireChain(chain);
    return chain;
  }
}

/** Version 1 has a text where version 2 has an object. */
function viewProxy(resolution: ProxyResolution): object {
  if (!('proxyResolutionError' in resolution)) return resolution;
  return { proxyResolutionError: resolution.proxyResolutionError.message };
}

/** Clients match on this text. @see Remix, SourcifyV1Verifier */
const NO_FILES = 'Files have not been found!';

function notFound(message: string): VerifyRequestError {
  return new VerifyRequestError('route_not_found', message);
}

function readContractPath(params: unknown): { readonly chain: string; readonly address: string } {
  const { chain, address } = params as { readonly chain: string; readonly address: string };
  if (isAddress(address)) return { chain, address };
  throw new VerifyRequestError('invalid_parameter', 'request/params/address must be 0x and 40 hex digits');
}

/** Folder of the files of contracts by how well they match. */
const FOLDER_OF_STATUS = { perfect: 'full_match', partial: 'partial_match' } as const satisfies Record<
  MatchStatus,
  string
>;

/**
 * Lists the files of a verified contract: its sources, its metadata and what else is known of its code; paths from the
 * root of the repository on, without a slash before them.
 */
function listRepositoryFiles(contract: StoredContract) {
  const { match, metadata, sources, deployment, creation, runtime } = contract;
  const root = `contracts/${FOLDER_OF_STATUS[statusOfMatch(match)]}/${match.chainId}/${checksumAddress(match.address)}`;
  const files: (readonly [string, string | null])[] = [
    ['metadata.json', metadata],
    ['creator-tx-hash.txt', deployment.transactionHash],
    ['constructor-args.txt', creation.values?.constructorArguments ?? null],
    ['library-map.json', printIfAny(runtime.values?.libraries ?? creation.values?.libraries)],
    ['immutable-references.json', printIfAny(runtime.artifacts.value('immutableReferences'))],
    ...Object.entries(sources).map(([path, { content }]) => [`sources/${path}`, content] as const),
  ];
  return files.flatMap(([path, content]) =>
    content === null
      ? []
      : [{ name: path.slice(path.lastIndexOf('/') + 1), path: `${root}/${path}`, content }],
  );
}

/** Null for nothing and for an empty object. */
function printIfAny(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return null;
  return JSON.stringify(value);
}
