import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsync } from 'fastify';
import type { SourceColours } from './contract-pages/colour/source-colours.ts';
import { addContractPageRoutes } from './contract-pages/contract-page-routes.ts';
import { addContractRoutes } from './contract-routes.ts';
import { addEtherscanRoutes } from './etherscan/etherscan-routes.ts';
import { addJobRoutes } from './following/job-routes.ts';
import { addCompilerRoutes, addInformationRoutes } from './information-routes.ts';
import { addRedirectRoutes } from './redirect-routes.ts';
import { addSignatureRoutes } from './signature-database/signature-routes.ts';
import { addJsonBodyParser, droppingBody, holdBody } from './submissions/request-body.ts';
import { checkPathAndQuery, createRequestValidatorCompiler } from './submissions/request-validator.ts';
import { addSubmissionRoutes } from './submissions/submission-routes.ts';
import { addSubmitRoutes } from './submit-pages/submit-routes.ts';
import type { VerifyContext } from './verify-context.ts';
import { addRefusedVersion1Routes, addVersion1Routes } from './version-1/version-1-routes.ts';

/** The routes of area A. @see contracts/verification-api.md section 1 */
export function createVerifyRoutes(context: VerifyContext, colours: SourceColours): FastifyPluginAsync {
  return async (instance) => {
    const scope = instance.withTypeProvider<TypeBoxTypeProvider>();
    scope.setValidatorCompiler(createRequestValidatorCompiler());
    addJsonBodyParser(instance, context);
    const hold = holdBody(context.parsedRoom);
    scope.addHook('onRoute', (route) => {
      if (route.config?.bodyKind === undefined) return;
      route.preValidation = route.schema?.body === undefined ? hold : [hold, checkPathAndQuery];
      route.handler = droppingBody(route.handler);
    });
    addSubmissionRoutes(scope, context.service);
    addJobRoutes(scope, context.service);
    addContractRoutes(scope, context);
    addInformationRoutes(scope, context);
    addRedirectRoutes(scope, context, addContractPageRoutes(scope, context, colours));
    addCompilerRoutes(scope, context);
    addSubmitRoutes(scope, context);
    addSignatureRoutes(scope, context);
    addEtherscanRoutes(scope, context);
    if (context.options.servesVersion1) addVersion1Routes(scope, context);
    else addRefusedVersion1Routes(scope, context.site.root);
  };
}
