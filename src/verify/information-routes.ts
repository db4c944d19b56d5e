import { Type } from '@sinclair/typebox';
import { viewChains } from './chain-view.ts';
import * as schemas from './schemas.ts';
import type { VerifyScope } from './verify-scope.ts';

const tags = ['verify'];
const { ErrorBody } = schemas;

/** What `GET /version` says about the build. */
export interface BuildInformation {
  readonly version: string;
  /** `unknown` when not built in. */
  readonly gitCommit: string;
}

/** What the routes about the server itself answer from. */
export interface InformationRoutesParts {
  readonly chains: Parameters<typeof viewChains>[0];
  readonly build: BuildInformation;
}

/** Chains, version and health text. @see contracts/verification-api.md sections 10 and 11 */
export function addInformationRoutes(scope: VerifyScope, { chains, build }: InformationRoutesParts): void {
  scope.get(
    '/chains',
    {
      schema: {
        tags,
        summary: 'List the configured chains',
        querystring: schemas.NoQuery,
        response: { 200: Type.Array(schemas.ChainView), 400: ErrorBody },
      },
    },
    async () => viewChains(chains),
  );

  scope.get(
    '/version',
    {
      schema: {
        tags,
        summary: 'Build information',
        querystring: schemas.NoQuery,
        response: { 200: schemas.VersionView, 400: ErrorBody },
      },
    },
    async () => ({
      name: 'ledgerlens',
      version: build.version,
      // The names that clients of the reference expect; all of it is one program here.
      sourcifyServerVersion: build.version,
      libSourcifyVersion: build.version,
      sourcifyCompilersVersion: build.version,
      bytecodeUtilsVersion: build.version,
      gitCommitHash: build.gitCommit,
    }),
  );

  scope.get(
    '/health',
    {
      schema: {
        tags,
        summary: 'Fixed text while the server runs',
        response: { 200: Type.String({ const: 'Alive and kicking!' }) },
      },
    },
    async (_request, reply) => reply.type('text/html; charset=utf-8').send('Alive and kicking!'),
  );
}
