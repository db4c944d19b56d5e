import { type EncodedDocument, encodeText } from '../pages/encoded-document.ts';
import { sendDocument } from '../pages/send-document.ts';
import { evmVersionsOf } from './compile/evm-versions.ts';
import type { CompilerStock, StockedCompiler } from './compile/supply/compiler-stock.ts';
import * as schemas from './schemas.ts';
import type { VerifyScope } from './verify-scope.ts';

/** What the route answers from. */
export interface CompilerRoutesParts {
  readonly stock: CompilerStock;
}

const HEADERS = [
  ...['content-type', 'application/json; charset=utf-8', 'vary', 'Accept-Encoding'],
  ...['cache-control', 'public, max-age=60', 'access-control-expose-headers', 'ETag'],
];
const { ErrorBody } = schemas;
const LANGUAGE_OF = { solc: 'Solidity', vyper: 'Vyper', fe: 'Fe' } as const;

/** `GET /v2/compilers`: what verifications can be compiled with. */
export function addCompilerRoutes(scope: VerifyScope, { stock }: CompilerRoutesParts): void {
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
