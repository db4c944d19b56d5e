import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsync } from 'fastify';
import type { Site } from '../pages/site/site-page.ts';
import {
  addContractPageRoutes,
  type ContractPageRoutesParts,
} from './contract-pages/contract-page-routes.ts';
import { addContractRoutes, type ContractRoutesParts } from './contracts/contract-routes.ts';
import { addRedirectRoutes, type RedirectRoutesParts } from './contracts/redirect-routes.ts';
import { addEtherscanRoutes } from './etherscan/etherscan-routes.ts';
import { addJobRoutes } from './following/job-routes.ts';
import {
  addCompilerRoutes,
  addInformationRoutes,
  type CompilerRoutesParts,
  type InformationRoutesParts,
} from './information-routes.ts';
import { addSignatureRoutes, type SignatureRoutesParts } from './signature-database/signature-routes.ts';
import { addJsonBodyParser, type BodyReader, holdUntilAnswered } from './submissions/request-body.ts';
import { checkPathAndQuery, createRequestValidatorCompiler } from './submissions/request-validator.ts';
import { addSubmissionRoutes } from './submissions/submission-routes.ts';
import { addSubmitRoutes, type SubmitRoutesParts } from './submit-pages/submit-routes.ts';
import { addRefusedVersion1Routes, addVersion1Routes } from './version-1/version-1-routes.ts';

/** What the routes answer from. */
interface VerifyRoutesParts
  extends ContractRoutesParts,
    ContractPageRoutesParts,
    InformationRoutesParts,
    RedirectRoutesParts,
    SignatureRoutesParts,
    SubmitRoutesParts,
    CompilerRoutesParts,
    BodyReader {
  /** Whether version 1 of the API is served, not only refused. */
  readonly servesVersion1: boolean;
  readonly site: Site;
}

/** The routes of area A. @see contracts/verification-api.md section 1 */
export function createVerifyRoutes(parts: VerifyRoutesParts): FastifyPluginAsync {
  return async (instance) => {
    const scope = instance.withTypeProvider<TypeBoxTypeProvider>();
    scope.setValidatorCompiler(createRequestValidatorCompiler());
    addJsonBodyParser(instance, parts);
    scope.addHook('onRoute', (route) => {
      if (route.schema?.body !== undefined) route.preValidation = [holdUntilAnswered, checkPathAndQuery];
    });
    addSubmissionRoutes(scope, parts.service);
    addJobRoutes(scope, parts.service);
    addContractRoutes(scope, parts);
    addInformationRoutes(scope, parts);
    addRedirectRoutes(scope, parts, addContractPageRoutes(scope, parts));
    addCompilerRoutes(scope, parts);
    addSubmitRoutes(scope, parts);
    addSignatureRoutes(scope, parts);
    addEtherscanRoutes(scope, parts);
    if (parts.servesVersion1) addVersion1Routes(scope, parts);
    else addRefusedVersion1Routes(scope, parts.publicPath);
  };
}
