import { VerifyRequestError } from './errors.ts';
import type { VerifyScope } from './verify-scope.ts';

/** Paths of the first version of the API. */
const FORMER_PATHS = [
  '/verify',
  '/verify/*',
  '/check-by-addresses',
  '/check-all-by-addresses',
  '/files/*',
  '/repository/*',
];

/**
 * Answers 410 to every request of the first version, before its body is read.
 *
 * @see contracts/verification-api.md section 12
 */
export function addFormerRoutes(scope: VerifyScope, publicPath: string): void {
  const refuse = async (): Promise<never> => {
    throw new VerifyRequestError(
      'gone',
      `Version 1 of this API is not served. Use version 2: POST ${publicPath}/v2/verify/{chainId}/{address}, ` +
        `GET ${publicPath}/v2/contract/{chainId}/{address}; all of it is described at ${publicPath}/docs`,
    );
  };
  for (const url of FORMER_PATHS) {
    scope.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url,
      schema: { hide: true },
      onRequest: refuse,
      handler: refuse,
    });
  }
}
