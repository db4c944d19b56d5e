import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import type { ReadAnswer } from './answer-reader.ts';

const document = JSON.parse(readFileSync(new URL('../../openapi/all.json', import.meta.url), 'utf8')) as {
  readonly components: object;
};
const ajv = new Ajv({ strict: false, validateFormats: false });
ajv.addSchema({ $id: 'document', components: document.components });

const VERIFY = ['VerifyError', 'SignatureError', 'Version1Error', 'EtherscanAnswer'];
/** The documented error forms below some paths; the first that fits counts. */
const AREAS: readonly (readonly [path: RegExp, schemas: readonly string[]])[] = [
  [/^\/api\/v1\/(?!docs)/i, ['MirrorError']],
  [/^\/api\/v2\//i, ['StatusError']],
  [/^\/v1\/pages/i, ['ManagementError']],
  // What is not found is reported in the form of what is found.
  [/^\/v2\//i, [...VERIFY, 'UnverifiedContract', 'ContractList']],
];
const ANY = [
  ...VERIFY,
  'UnverifiedContract',
  'ContractList',
  'MirrorError',
  'StatusError',
  'ManagementError',
];
/** Refusals before a path is known. */
const BEFORE_ROUTES: ReadonlySet<number> = new Set([400, 408, 413, 414, 417, 431, 505]);
const PLAIN_TARGET = /^[A-Z]+ (\/[\w./-]*)(?:\?\S*)? HTTP\/1\.1\r\n/;

const fits = (schema: string, body: unknown): boolean =>
  ajv.getSchema(`document#/components/schemas/${schema}`)?.(body) === true;

/**
 * What is wrong with the form of an error; null when it is that of its area.
 *
 * @param request as it was sent
 */
export function shapeFault(request: Buffer, { body, head, status }: ReadAnswer): string | null {
  if (status < 400 || body === null || body.length === 0) return null;
  // Readiness reports to a balancer in a form of its own.
  if (/^[A-Z]+ \S*health/i.test(request.toString('latin1', 0, 200))) return null;
  const type = /\r\ncontent-type: *([^\r]*)/i.exec(head)?.[1] ?? '';
  const sent = PLAIN_TARGET.exec(request.toString('latin1'))?.[1];
  // Dots may lead into another area.
  const target = sent === undefined ? undefined : new URL(`http://any${sent}`).pathname;
  const schemas = target === undefined ? undefined : AREAS.find(([path]) => path.test(target))?.[1];
  if (!type.startsWith('application/json')) {
    return schemas === undefined || /text\/html/.test(type) ? null : `answered ${status} as ${type}`;
  }
  // What is packed is not looked into.
  if (/\r\ncontent-encoding:/i.test(head)) return null;
  const parsed = jsonOf(body);
  if (parsed === undefined) return `answered ${status} with broken JSON`;
  const allowed = schemas === undefined || BEFORE_ROUTES.has(status) ? ANY : schemas;
  return allowed.some((schema) => fits(schema, parsed))
    ? null
    : `answered ${status} in no form of ${schemas?.join(' or ') ?? 'any area'}: ${body.slice(0, 200)}`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
