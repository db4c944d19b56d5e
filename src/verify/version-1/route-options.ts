import { Type } from '@sinclair/typebox';
import type { BodyKind } from '../bodies/prepared-body.ts';
import { ErrorBody } from '../schemas.ts';

/** A refusal in the form of version 1. */
export const Version1Error = Type.Composite(
  [
    Type.Object({ error: Type.String({ description: 'The same as `message`.' }) }),
    ErrorBody,
    Type.Object({
      contractsToChoose: Type.Optional(
        Type.Array(Type.Unknown(), { description: 'If several contracts are sent and none is chosen.' }),
      ),
    }),
  ],
  { title: 'Version1Error' },
);

export type Version1RouteOptions = ReturnType<typeof describeRoute>;

/** Options of a route of version 1. Its clients send parameters that the server never looked at, so none is refused. */
export function describeRoute(summary: string, isHidden = false, bodyKind?: BodyKind) {
  return {
    config: { errorForm: 'version_1', ...(bodyKind === undefined ? {} : { bodyKind }) },
    validatorCompiler: () => () => true,
    schema: {
      tags: ['verify'],
      summary,
      hide: isHidden,
      response: { 200: Type.Unknown(), '4xx': Version1Error, '5xx': Version1Error },
    },
  } as const;
}
