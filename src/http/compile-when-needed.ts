import { AjvCompiler } from '@fastify/ajv-compiler';
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import { once } from '../values/once.ts';

type BuildSerializer = ReturnType<typeof SerializerSelector>;
type BuildValidator = ReturnType<typeof AjvCompiler>;

interface SchemaCompilers {
  readonly buildSerializer: BuildSerializer;
  readonly buildValidator: BuildValidator;
}

/**
 * Compilers of schemas that compile each when the first request or answer needs it.
 *
 * Those of all routes take half of a start, and a server in a test needs few of them.
 *
 * @param compilers default: Fastify's own
 */
export function compileWhenNeeded(
  { buildSerializer, buildValidator }: SchemaCompilers = {
    buildSerializer: SerializerSelector(),
    buildValidator: AjvCompiler(),
  },
): SchemaCompilers {
  return {
    buildSerializer(...parts) {
      const compiler = once(() => buildSerializer(...parts));
      return (route) => {
        const serializer = once(() => compiler()(route));
        return (value) => serializer()(value);
      };
    },
    buildValidator: ((...parts: Parameters<BuildValidator>) => {
      const compiler = once(() => buildValidator(...parts) as (route: unknown) => Check);
      return (route: unknown) => {
        const compiled = once(() => compiler()(route));
        const check: Check = (value) => {
          const isValid = compiled()(value);
          check.errors = compiled().errors;
          return isValid;
        };
        return check;
      };
    }) as BuildValidator,
  };
}

/** As Fastify reads it: the errors of the newest call are a member of the function. */
interface Check {
  (value: unknown): unknown;
  errors?: unknown;
}
