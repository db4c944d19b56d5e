import { VerifyRequestError } from '../errors.ts';
import type { VerifyScope } from '../verify-scope.ts';

const ANY_METHOD = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Paths of the first version of the API, and the methods that it gave a meaning there. */
const FORMER_PATHS: readonly { readonly url: string; readonly method: string[] }[] = [
  // The landing page answers the other methods.
  { url: '/', method: ['POST'] },
  // GET leads to the page.
  { url: '/verify', method: ANY_METHOD.filter((method) => method !== 'GET') },
  ...[
    '/verify/*',
    '/check-by-addresses',
    '/check-all-by-addresses',
    '/checkByAddresses',
    '/checkAllByAddresses',
    '/files/*',
    '/repository/*',
  ].map((url) => ({ url, method: ANY_METHOD })),
];

/**
 * Answers 410 to every request of the first version, before its body is read.
 *
 * @see contracts/verification-api.md section 12
 */
export function addRefusedVersion1Routes(scope: VerifyScope, publicPath: string): void {
  const refuse = async (): Promise<never> => {
    throw new VerifyRequestError(
      'gone',
      `Version 1 of this API is not served. Use a client that speaks version 2 (forge 1.4, hardhat-verify 3 or ` +
        `newer), or POST ${publicPath}/v2/verify/{chainId}/{address} and ` +
        `GET ${publicPath}/v2/contract/{chainId}/{address}; all of it is described at ${publicPath}/docs`,
    );
  };
  for (const route of FORMER_PATHS) {
    scope.route({
      ...route,
      schema: { hide: true },
      config: { errorForm: 'version_1' },
      onRequest: refuse,
      handler: refuse,
    });
  }
}
