import { describe, expect, test } from 'vitest';
import { type NpmSurroundings, readNpmRegistry } from './npm-registry.ts';

function anNpm(
  config: unknown,
  files: Readonly<Record<string, string>> = {},
  environment: Readonly<Record<string, string>> = {},
): NpmSurroundings {
  return {
    listConfig: async () => (typeof config === 'string' ? config : JSON.stringify(config)),
    readFile: async (path) => {
      const text = files[path];
      if (text === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
      return text;
    },
    environment,
    folder: '/project',
  };
}

const config = {
  registry: 'https://npm.example/team/repo',
  userconfig: '/home/.npmrc',
  globalconfig: '/etc/npmrc',
};

describe('readNpmRegistry', () => {
  test('gives the address with a slash at its end, and no credentials where there are none', async () => {
    const { url, headers } = await readNpmRegistry(anNpm(config));
    expect([url.href, headers]).toEqual(['https://npm.example/team/repo/', {}]);
  });

  test('sends credentials of the address as a header', async () => {
    const npm = anNpm({ registry: 'https://me:p%40ss@npm.example/team' });
    const { url, headers } = await readNpmRegistry(npm);
    const authorization = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
    expect([url.href, headers]).toEqual(['https://npm.example/team/', { authorization }]);
    const broken = readNpmRegistry(anNpm({ registry: 'https://me:%@npm.example/' }));
    await expect(broken).rejects.toThrow('the credentials in the registry of npm have a broken %-sequence');
  });

  test.each([
    ['a token', '//npm.example/team/repo/:_authToken=abc', 'Bearer abc'],
    ['a token of a folder above', '//npm.example/:_authToken = "abc"', 'Bearer abc'],
    ['a token from the environment', `//npm.example/team/:_authToken=$\{TOKEN}`, 'Bearer from-environment'],
    ['a pair that is encoded together', '; comment\n//npm.example/:_auth=dTpw\n', 'Basic dTpw'],
    ['a user and a password', '//npm.example/:username=u\r\n//npm.example/:_password=cA==\r\n', 'Basic dTpw'],
    ['none for another host', '//other.example/:_authToken=abc', undefined],
    ['none for another port', '//npm.example:8443/:_authToken=abc', undefined],
    ['none for a longer path', '//npm.example/team/repo/x/:_authToken=abc', undefined],
    ['none without a host', '_authToken=abc', undefined],
  ])('reads %s', async (_, text, authorization) => {
    const npm = anNpm(config, { '/home/.npmrc': text }, { TOKEN: 'from-environment' });
    const { headers } = await readNpmRegistry(npm);
    expect(headers['authorization']).toBe(authorization);
  });

  test("takes the project's settings before the user's and the global ones", async () => {
    const files = {
      '/project/.npmrc': '//npm.example/:_authToken=project',
      '/home/.npmrc': '//npm.example/team/repo/:_authToken=user',
      '/etc/npmrc': '//npm.example/:_authToken=global',
    };
    expect((await readNpmRegistry(anNpm(config, files))).headers).toEqual({
      authorization: 'Bearer project',
    });
  });

  test.each([
    [
      'npm is not there',
      () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOENT' })),
      'npm is not installed',
    ],
    [
      'npm fails',
      () => Promise.reject(new Error('exit code 1')),
      'npm does not report its settings: exit code 1',
    ],
    ['npm prints something else', () => Promise.resolve('hello'), 'unknown form'],
    ['npm prints no object', () => Promise.resolve('[]'), 'does not print its settings'],
    ['no registry is set', () => Promise.resolve('{}'), 'not configured for a registry'],
    [
      'the registry is a file',
      () => Promise.resolve('{"registry":"file:///x"}'),
      'not configured for a registry',
    ],
  ])('says so when %s', async (_, listConfig, reason) => {
    await expect(readNpmRegistry({ ...anNpm(config), listConfig })).rejects.toThrow(reason);
  });
});

describe('without npm', () => {
  const without = (environment: Readonly<Record<string, string>>, files = {}): NpmSurroundings => ({
    ...anNpm({}, files, environment),
    listConfig: async () => {
      throw Object.assign(new Error('no such program'), { code: 'ENOENT' });
    },
  });
  const settings = 'registry=https://npm.example/own/\n//npm.example/:_authToken=abc';

  test('the registry is that of the variable', async () => {
    const npm = without({ NPM_CONFIG_REGISTRY: 'https://npm.example', HOME: '/home' });
    expect((await readNpmRegistry(npm)).url.href).toBe('https://npm.example/');
  });

  test.each([
    ['the folder', '/project/.npmrc', {}],
    ['the user', '/home/.npmrc', {}],
    ['the named file', '/etc/mine', { NPM_CONFIG_USERCONFIG: '/etc/mine' }],
  ])('registry and credentials are those of %s', async (_, file, environment) => {
    const npm = without({ HOME: '/home', ...environment }, { [file]: settings });
    const { url, headers } = await readNpmRegistry(npm);
    expect([url.href, headers]).toEqual(['https://npm.example/own/', { authorization: 'Bearer abc' }]);
  });

  test('and without settings the remedy is named', async () => {
    await expect(readNpmRegistry(without({}))).rejects.toThrow(
      'npm is not installed; set NPM_CONFIG_REGISTRY',
    );
  });
});
