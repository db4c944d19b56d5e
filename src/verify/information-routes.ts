import { Type } from '@sinclair/typebox';
import { type EncodedDocument, encodeText } from '../pages/encoded-document.ts';
import { sendDocument } from '../pages/send-document.ts';
import { viewChains } from './chain-view.ts';
import { evmVersionsOf } from './compile/evm-versions.ts';
import type { StockedCompiler } from './compile/supply/compiler-management.ts';
import * as schemas from './schemas.ts';
import type { VerifyContext } from './verify-context.ts';
import type { VerifyScope } from './verify-scope.ts';

const tags = ['verify'];
const { ErrorBody } = schemas;

/** Chains, version and health text. @see contracts/verification-api.md sections 10 and 11 */
export function addInformationRoutes(scope: VerifyScope, { chains, build }: VerifyContext): void {
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

const HEADERS = [
  ...['content-type', 'application/json; charset=utf-8', 'vary', 'Accept-Encoding'],
  ...['cache-control', 'public, max-age=60', 'access-control-expose-headers', 'ETag'],
];
const LANGUAGE_OF = { solc: 'Solidity', vyper: 'Vyper', fe: 'Fe' } as const;

/** `GET /v2/compilers`: what verifications can be compiled with. */
export function addCompilerRoutes(scope: VerifyScope, { stock }: VerifyContext): void {
  let kept: { readonly text: string; readonly document: EncodedDocument } | null = null;
  scope.get(
    '/v2/compilers',
    {
      compress: false,
      schema: {
        tags: ['verify'],
        summary: 'List the compilers that verifications can use',
        querystring: schemas.NoQuery,
        response: { 200: schemas.CompilerList, 304: schemas.NotModified, 400: ErrorBody },
      },
    },
    async (request, reply) => {
      const text = JSON.stringify({ compilers: (await stock.list()).map(viewCompiler) });
      if (kept?.text !== text) kept = { text, document: encodeText(text, new Date(0).toUTCString()) };
      return sendDocument(kept.document, HEADERS, request, reply as never) as never;
    },
  );
}

function viewCompiler({ language, version, kind, availability, from }: StockedCompiler) {
  return {
    language: LANGUAGE_OF[language],
    compiler: language,
    version,
    kind,
    availability,
    from,
    evmVersions: evmVersionsOf(language, version),
  };
}
