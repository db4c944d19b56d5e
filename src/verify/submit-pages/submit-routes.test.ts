import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileForTest } from '../../../test/kit/verify/compile-for-test.ts';
import { type ServedArea, serveArea } from '../../../test/kit/verify/serve-area.ts';
import { HOSTILE_TEXTS } from '../../../test/support/hostile-texts.ts';

const SOURCE =
  '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\ncontract A { uint256 public total; function seven() external pure returns (uint256) { return 7; } }\ncontract B { uint256 public other = 8; }\n';
const INPUT = {
  language: 'Solidity',
  sources: { 'src/A.sol': { content: SOURCE } },
  settings: { optimizer: { enabled: true, runs: 200 } },
};
const OTHER_SOURCE = SOURCE.replace('return 7', 'return 9');
const at = (digit: string) => `0x${digit.repeat(40)}`;
const [MATCHING, SECOND, DIFFERENT, EMPTY, THIRD] = ['1', '2', '3', '4', '5'].map(at) as [
  string,
  string,
  string,
  string,
  string,
];
const FOR_PEOPLE = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let served: ServedArea;
beforeAll(async () => {
  const { runtime, bytecode } = compileForTest(INPUT, 'src/A.sol', 'A');
  const contract = { runtimeBytecode: runtime, creationBytecode: bytecode };
  const chain = {
    name: 'Test <chain>',
    static: { [MATCHING]: contract, [SECOND]: contract, [DIFFERENT]: contract, [THIRD]: contract },
  };
  const off = { name: 'Closed', supported: false, static: {} };
  served = await serveArea({ publicPath: '/lens', chainsJson: JSON.stringify({ 31337: chain, 5: off }) });
});
afterAll(() => served.close());

type Entry = string | { readonly file: string; readonly text: string };

/** As a browser without scripts sends the form. */
function post(entries: readonly (readonly [name: string, value: Entry])[]) {
  const boundary = '----form';
  const parts = entries.map(([name, value]) =>
    typeof value === 'string'
      ? `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
      : `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${value.file}"\r\nContent-Type: application/octet-stream\r\n\r\n${value.text}\r\n`,
  );
  return served.app.inject({
    method: 'POST',
    url: '/verify-ui',
    headers: { ...FOR_PEOPLE, 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: `${parts.join('')}--${boundary}--\r\n`,
  });
}

const place = (address: string) =>
  [
    ['chainId', '31337'],
    ['address', address],
  ] as const;

async function endOf(location: unknown): Promise<string> {
  expect(location).toMatch(/^\/lens\/verify-ui\/jobs\/[0-9a-f-]{36}$/);
  const url = String(location).replace('/lens', '');
  await served.app.inject(`${url.replace('/verify-ui/jobs', '/v2/verify')}?wait=60`);
  const page = await served.app.inject({ url, headers: FOR_PEOPLE });
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  return page.body;
}

describe('GET /verify-ui', () => {
  test('is a form with the chains that take submissions, filled by its address', async () => {
    const { body, headers, statusCode } = await served.app.inject({
      url: `/verify-ui?chainId=31337&address=${MATCHING}&other=1&kind=files`,
      headers: FOR_PEOPLE,
    });
    expect(statusCode).toBe(200);
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(body).toContain('Test &lt;chain&gt; (31337)');
    expect(body).not.toContain('Closed');
    expect(body).toContain(`value="${MATCHING}"`);
    expect(body).toContain('value="files" checked');
    expect(body).toContain('action="/lens/verify-ui"');
  });

  test('leads elsewhere when the pages are elsewhere', async () => {
    const elsewhere = await serveArea({ jobPagesUrl: 'https://ui.test/x' });
    const { statusCode, headers } = await elsewhere.app.inject({ url: '/verify-ui', headers: FOR_PEOPLE });
    expect([statusCode, headers.location]).toEqual([302, 'https://ui.test/x']);
    await elsewhere.close();
  });
});

describe('POST /verify-ui', () => {
  test('a pasted standard JSON is verified', async () => {
    const answer = await post([
      ...place(MATCHING),
      ['kind', 'json'],
      ['standardJson', JSON.stringify(INPUT)],
      ['standardJsonFile', { file: '', text: '' }],
      ['compilerVersion', '0.8.30'],
      ['contract', 'A'],
      ['creationTransactionHash', ''],
    ]);
    expect(answer.statusCode).toBe(303);
    const page = await endOf(answer.headers.location);
    expect(page).toContain('Verified: exact match');
    expect(page).toContain(`href="/lens/repo-ui/31337/${MATCHING}"`);
  });

  test('of a build-info with several contracts one is chosen on the next page, which carries the input', async () => {
    const buildInfo = { solcLongVersion: '0.8.30+commit.73712a01', input: { ...INPUT, allowPaths: [] } };
    const large = { ...buildInfo, unread: 'x'.repeat(100_000) };
    for (const text of [JSON.stringify(buildInfo), JSON.stringify(large)]) {
      const choice = await post([
        ...place(SECOND),
        ['kind', 'json'],
        ['standardJsonFile', { file: 'abc.json', text }],
      ]);
      expect(choice.statusCode).toBe(200);
      expect(choice.body).toContain('value="src/A.sol:A" checked');
      expect(choice.body).toContain('value="src/A.sol:B"');
      const hidden = [...choice.body.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
      const carried = hidden.map(([, name = '', value = '']) => [name, unescapeHtml(value)] as const);
      if (text.length > 100_000) {
        const answer = await post([...carried, ['contract', 'src/A.sol:A']]);
        expect(answer.statusCode).toBe(303);
        expect(await endOf(answer.headers.location)).toContain('Verified: exact match');
      }
    }
  });

  test('single files are verified, pasted ones with the line ends of their file', async () => {
    const answer = await post([
      ...place(THIRD),
      ['kind', 'files'],
      ['language', 'Solidity'],
      ['sourceName0', 'src/A.sol'],
      ['source0', SOURCE.replaceAll('\n', '\r\n')],
      ['optimizer', 'on'],
      ['runs', '200'],
      ['compilerVersion', 'v0.8.30+commit.73712a01'],
      ['contract', 'A'],
    ]);
    expect(await endOf(answer.headers.location)).toContain('Verified: exact match');
  });

  test('everything that is wrong is named beside its field, and what was entered comes back', async () => {
    const hostile = HOSTILE_TEXTS.join('\n');
    const answer = await post([
      ['chainId', ''],
      ['address', '0x12'],
      ['kind', 'files'],
      ['language', 'Solidity'],
      ['sources', { file: 'B.sol', text: hostile }],
      ['runs', 'many'],
      ['libraries', 'L=0x12'],
      ['creationTransactionHash', '0x34'],
    ]);
    expect(answer.statusCode).toBe(400);
    for (const field of [
      'chainId',
      'address',
      'runs',
      'libraries',
      'creationTransactionHash',
      'compilerVersion',
    ])
      expect(answer.body, field).toContain(`id="${field}-fault"`);
    expect(answer.body).toContain('value="0x12"');
    expect(answer.body).toContain('&lt;script&gt;ran()&lt;/script&gt;');
    expect(answer.body).toContain('value="B.sol"');
    expect(answer.body).not.toContain('<script>ran');
  });

  test.each([
    ['', 'Choose or paste standard JSON'],
    ['{"abi":[]}', 'This is an artifact'],
    ['{"source_id_to_path":{},"id":"1"}', 'forge build --build-info'],
    ['{"output":{}}', '.output.json'],
    ['{', 'Invalid JSON'],
    ['[]', 'not a JSON object'],
    [
      '{"compiler":{},"settings":{"compilationTarget":{}},"language":"Solidity","sources":{}}',
      'Metadata and sources',
    ],
  ])('%j is answered with what to do', async (text, remedy) => {
    const answer = await post([...place(EMPTY), ['kind', 'json'], ['standardJson', text]]);
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain(remedy);
  });

  test.each(['__proto__', 'constructor', 'toString', 'of no kind'])(
    'a form of the kind %s is read as the usual one',
    async (kind) => {
      const answer = await post([
        ...place(EMPTY),
        ['kind', kind],
        ['language', kind],
        [kind, { file: 'a.json', text: '{}' }],
      ]);
      expect(answer.statusCode).toBe(400);
      expect(answer.body).toContain('Choose or paste standard JSON');
    },
  );

  test('what is verified already leads to the contract', async () => {
    const answer = await post([
      ...place(MATCHING),
      ['standardJson', JSON.stringify(INPUT)],
      ['compilerVersion', '0.8.30'],
      ['contract', 'A'],
    ]);
    // With both sides exact it is refused at once.
    expect(answer.statusCode).toBe(409);
    expect(answer.body).toContain(`href="/lens/repo-ui/31337/${MATCHING}"`);
    expect(answer.body).toContain('already verified');
  });

  test('a broken form is a page as well', async () => {
    const answer = await served.app.inject({
      method: 'POST',
      url: '/verify-ui',
      headers: { ...FOR_PEOPLE, 'content-type': 'multipart/form-data; boundary=x' },
      payload: '--x\r\nbroken',
    });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
    expect(answer.body).toContain('malformed or was cut off');
  });
});

describe('GET /verify-ui/jobs/{id}', () => {
  test('a mismatch shows both codes at the difference', async () => {
    const answer = await post([
      ...place(DIFFERENT),
      ['standardJson', JSON.stringify({ ...INPUT, sources: { 'src/A.sol': { content: OTHER_SOURCE } } })],
      ['compilerVersion', '0.8.30'],
      ['contract', 'A'],
    ]);
    const page = await endOf(answer.headers.location);
    expect(page).toContain('Bytecode mismatch');
    expect(page).toContain('<figcaption>Your compilation');
    expect(page).toMatch(/<mark>[0-9a-f]{2}<\/mark>/);
    expect(page).toContain('solc 0.8.30');
    await served.area.repositories.jobs.dropBytecodes(Date.now() + 1, 100);
    const later = await served.app.inject({
      url: String(answer.headers.location).replace('/lens', ''),
      headers: FOR_PEOPLE,
    });
    expect(later.body).toContain('has been removed');
  });

  test('what a compiler says is shown as text', async () => {
    const answer = await post([
      ...place(DIFFERENT),
      ['kind', 'files'],
      ['sourceName0', 'A.sol'],
      ['source0', `contract A { ${HOSTILE_TEXTS.join(' ')} \u202E ${'x'.repeat(20_000)}`],
      ['compilerVersion', '0.8.30'],
      ['contract', 'A.sol:A'],
    ]);
    const page = await endOf(answer.headers.location);
    expect(page).toContain('The sources were not compiled');
    expect(page).not.toMatch(/<(?:script|img|iframe|style)[ >](?!src="\/lens\/)/);
    expect(page).not.toContain('\u202E');
  });

  test('without a contract at the address it says so', async () => {
    const answer = await post([
      ...place(EMPTY),
      ['standardJson', JSON.stringify(INPUT)],
      ['compilerVersion', '0.8.30'],
      ['contract', 'A'],
    ]);
    expect(await endOf(answer.headers.location)).toContain('No contract at this address');
  });

  test('an unknown job is a page with 404, and a record for programs', async () => {
    const url = '/verify-ui/jobs/6d1f0a52-9a3e-4c7b-8f21-3b5a7c9e1d04';
    const page = await served.app.inject({ url, headers: FOR_PEOPLE });
    expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    const malformed = await served.app.inject({ url: '/verify-ui/jobs/x', headers: FOR_PEOPLE });
    expect([malformed.statusCode, malformed.headers['content-type']]).toEqual([
      400,
      'text/html; charset=utf-8',
    ]);
    const { statusCode, headers } = await served.app.inject({ url, headers: { accept: '*/*' } });
    expect([statusCode, headers.location]).toEqual([
      302,
      '/lens/v2/verify/6d1f0a52-9a3e-4c7b-8f21-3b5a7c9e1d04',
    ]);
  });
});

describe('compilers', () => {
  test('GET /v2/compilers lists them, and confirms a list that the client holds', async () => {
    const { statusCode, headers, json } = await served.app.inject('/v2/compilers');
    expect(statusCode).toBe(200);
    expect(json().compilers).toContainEqual({
      language: 'Solidity',
      compiler: 'solc',
      version: '0.8.30',
      kind: 'wasm',
      availability: 'bundled',
      from: 'npm package solc-0.8.30',
      evmVersions: expect.arrayContaining(['homestead', 'prague']),
    });
    const again = await served.app.inject({
      url: '/v2/compilers',
      headers: { 'if-none-match': String(headers.etag) },
    });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect((await served.app.inject('/v2/compilers?x=1')).statusCode).toBe(400);
  });

  test('GET /verify-ui/compilers shows them', async () => {
    const { body, statusCode } = await served.app.inject({
      url: '/verify-ui/compilers',
      headers: FOR_PEOPLE,
    });
    expect(statusCode).toBe(200);
    expect(body).toContain('0.8.30');
    expect(body).toContain('homestead to osaka');
    expect(body).toContain('Contracts in Vyper cannot be verified here');
  });
});

function unescapeHtml(text: string): string {
  const texts: Readonly<Record<string, string>> = {
    '&quot;': '"',
    '&amp;': '&',
    '&lt;': '<',
    '&gt;': '>',
    '&#39;': "'",
  };
  return text.replace(/&(?:quot|amp|lt|gt|#39);/g, (found) => texts[found] ?? found);
}
