import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { CommanderError } from 'commander';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HasRoute, servedRoutes } from '../../scripts/documents/served-routes.ts';
import { COMMANDS } from '../../src/commands/command-table.ts';
import { createProgram, withDefaultAction } from '../../src/commands/program.ts';
import { DOCUMENT_NAMES } from '../../src/http/api-docs.ts';
import { type TestControl, testRoutes } from '../../src/test-kit/generation.ts';
import { readDocument } from '../support/openapi-document.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { inlineSpans, isCommand, withoutVariables } from './inline-spans.ts';
import { ROOT } from './read-blocks.ts';

/**
 * What sentences and tables tell people to type or to ask for: commands are parsed by the real parser, scripts, files
 * and routes exist. A program without a checker here fails.
 */
const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const projects = readFileSync(`${ROOT}vitest.config.ts`, 'utf8');
const clients = readdirSync(`${ROOT}test/clients`)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(`${ROOT}test/clients/${name}`, 'utf8'))
  .join('\n');

/** Begin as a path of the server does, and are folders and files of an operator, or the end of a path. */
const NO_ROUTES = new Set(['/archive', '/streams', '/etc/ledgerlens/environment', '/api/v1']);

/** Ends of the paths that a table names in full before them. */
const ENDS_OF_ACCOUNT = /^\/(?:tokens|nfts|rewards|hooks|allowances\/|airdrops\/)/;

/** What is wrong with the words after a program's name, or nothing. */
const PROGRAMS: Readonly<
  Record<string, (words: readonly string[], text: string) => Promise<string> | string>
> = {
  ledgerlens: faultOfCall,
  npx: ([first, ...rest], text) => {
    if (first === 'vitest') return faultOfVitest(rest);
    if (first === 'tsx') return existsSync(`${ROOT}${rest[0]}`) ? '' : `${rest[0]} does not exist`;
    return first === '--no-install' && rest[0] === 'ledgerlens'
      ? faultOfCall(rest.slice(1))
      : noChecker(text);
  },
  npm: ([verb, name = ''], text) => {
    if (verb === 'run') return name in scripts ? '' : `package.json has no script ${name}`;
    return ['ci', 'test', 'start', 'install'].includes(verb ?? '') ? '' : noChecker(text);
  },
  // The tests of clients run these programs with the same options.
  forge: faultOfClient,
  hardhat: faultOfClient,
  // No container is run and no image fetched here; what it executes is.
  docker: ([verb, , program = '', ...rest], text) => {
    if (verb === 'pull') return '';
    return verb === 'exec' && program !== '' ? faultOfProgram(program, rest, text) : noChecker(text);
  },
  curl: (_, text) => {
    const [, path] = /http:\/\/127\.0\.0\.1:8080(\/\S*)/.exec(text) ?? [];
    return path === undefined ? 'names no address, so nobody can run it' : faultOfRoute('GET', path);
  },
  eval: (_, text) => {
    const [, inner = ''] = /"\$\((.+)\)"/.exec(text) ?? [];
    return faultOfCommand(inner);
  },
  ulimit: (_, text) => (spawnSync('bash', ['-c', text]).status === 0 ? '' : 'the shell refuses it'),
};

let server: TestServer;
let hasRoute: HasRoute;
/** Its requests are served on demand, beside the others. */
const testApi = fastify();
/** A route for all files of a folder has them. */
const documents = new Set(DOCUMENT_NAMES.map((name) => `/docs/openapi/${name}.json`));

beforeAll(async () => {
  server = await startTestServer({});
  hasRoute = servedRoutes(server.app, readDocument('all').paths);
  await testApi.register(testRoutes({} as TestControl));
});
afterAll(() => server.close());

const spans = inlineSpans();
const METHOD = /^(GET|POST|PUT|PATCH|DELETE) (\/\S*)$/;
const commands = spans.filter(({ text }) => isCommand(text));
const requests = spans.filter(({ text }) => METHOD.test(text));
const paths = spans.filter(
  ({ text }) => /^\/[\w{]?/.test(text) && !NO_ROUTES.has(text) && !ENDS_OF_ACCOUNT.test(text),
);

describe('words in code marks', () => {
  test('are found', () => {
    expect(commands.length).toBeGreaterThan(50);
    expect(requests.length).toBeGreaterThan(20);
    expect(paths.length).toBeGreaterThan(20);
  });

  test.each(commands)('$page: $text can be run', async ({ text }) => {
    expect(await faultOfCommand(text)).toBe('');
  });

  test.each(requests)('$page: $text is served', ({ text }) => {
    const [, method = '', path = ''] = METHOD.exec(text) ?? [];
    expect(faultOfRoute(method, path)).toBe('');
  });

  test.each(paths)('$page: $text is served', ({ text }) => {
    expect(['GET', 'POST'].map((method) => faultOfRoute(method, text))).toContain('');
  });

  test.each(spans.filter(({ text }) => text.startsWith('scripts/') && text.endsWith('.sh')))(
    '$page: $text can be executed',
    ({ text }) => {
      expect(() => accessSync(ROOT + text, constants.X_OK)).not.toThrow();
    },
  );
});

describe('a command that is wrong is found', () => {
  test.each([
    'ledgerlens imports PATH…',
    'ledgerlens import --fast PATH…',
    'npx ledgerlens ledger size',
    'npx --no-install ledgerlens ledger shrink',
    'npm run tests',
    'npx vitest run --project none',
    'npx vitest run src/nowhere',
    'npx tsx scripts/nowhere.ts',
    'curl http://127.0.0.1:8080/nowhere',
    "curl -H 'Accept: text/plain'",
    'forge verify-contract --no-such-option',
    'docker exec CONTAINER ledgerlens compiler list',
    'eval "$(ledgerlens complete bash)"',
    'git bisect start',
  ])('%s', async (text) => {
    expect(isCommand(text)).toBe(true);
    expect(await faultOfCommand(text)).not.toBe('');
  });
});

async function faultOfCommand(text: string): Promise<string> {
  const [name = '', ...words] = withoutVariables(text)
    .split(/\s+/)
    .filter((word) => !/^\[|\]$|^…$/.test(word));
  return faultOfProgram(name, words, text);
}

async function faultOfProgram(name: string, words: readonly string[], text: string): Promise<string> {
  // Where the page has named the program before, its actions stand alone.
  if (COMMANDS.some((command) => command.name === name)) return faultOfCall([name, ...words]);
  return (await PROGRAMS[name]?.(words, text)) ?? noChecker(text);
}

function noChecker(text: string): string {
  return `${text}: no checker for this program`;
}

/** Parsed by the program's own parser, without running anything; what a mention leaves out is not asked for. */
async function faultOfCall(given: readonly string[]): Promise<string> {
  const [first = '', ...rest] = given.map((word) => (word === 'COMMAND' ? 'serve' : word));
  const words = first === 'help' ? [...rest, '--help'] : [first, ...rest];
  const program = createProgram({
    commands: COMMANDS,
    version: '',
    env: {},
    moreHelp: new Map(),
    run: async () => undefined,
  });
  for (const each of withSubcommands(program)) each.configureOutput({ writeOut() {}, writeErr() {} });
  try {
    await program.parseAsync([...withDefaultAction(words, COMMANDS)], { from: 'user' });
    return '';
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 || error.code === 'commander.missingArgument' ? '' : error.message;
  }
}

function withSubcommands<P extends { readonly commands: readonly P[] }>(program: P): readonly P[] {
  return [program, ...program.commands.flatMap((each) => withSubcommands(each))];
}

function faultOfVitest(words: readonly string[]): string {
  const index = words.indexOf('--project');
  const name = words[index + 1] ?? '';
  if (index > 0)
    return name === 'NAME' || new RegExp(`^ {2}${name}: \\{`, 'm').test(projects) ? '' : `no ${name}`;
  const missing = words.slice(1).filter((path) => !existsSync(ROOT + path));
  return missing.length === 0 ? '' : `${missing.join(', ')} is not there`;
}

function faultOfClient(words: readonly string[]): string {
  const unknown = words.filter((word) => /^-|^[a-z-]+$/.test(word) && !clients.includes(word));
  return unknown.length === 0 ? '' : `the tests of clients do not use ${unknown.join(', ')}`;
}

function faultOfRoute(method: string, path: string): string {
  // Words in capitals stand for an id; an ellipsis for the rest of the path.
  const pattern = path
    .replace(/\?.*/, '')
    .replace(/\/…$/, '')
    .replace(/(?<=\/)[A-Z]+(?:\.\w+)?(?=\/|$)/g, '{id}');
  const isServed = hasRoute(method, pattern) || testApi.hasRoute({ method: method as 'POST', url: pattern });
  return isServed || documents.has(pattern) ? '' : `${method} ${path} is not served`;
}
