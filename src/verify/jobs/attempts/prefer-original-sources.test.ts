import { describe, expect, test } from 'vitest';
import { aCompilation } from '../../../../test/kit/verify/a-verification.ts';
import type { Compilation, CompileRequest, Compiler } from '../../compile/compiler.ts';
import type { AttemptContext } from './attempt-compilation.ts';
import { attemptStandardJson } from './attempt-standard-json.ts';

const LF = 'contract A {}\n';
const CRLF = 'contract A {}\r\n';
/** Code that carries an IPFS hash of nothing but this byte. */
const codeWithHash = (byte: string) => `6001a164697066735822${byte.repeat(34)}002a`;
const ONCHAIN = codeWithHash('bb');

/** Gives the hash on chain for CRLF; its native build has other code, as builds of unoptimised IR may. */
function aCompiler() {
  const requests: CompileRequest[] = [];
  const compiler: Compiler = {
    async compile(request) {
      requests.push(request);
      const kind = request.kind ?? 'native';
      const isOriginal = request.input.sources['a.sol']?.content === CRLF;
      const object = codeWithHash(isOriginal ? 'bb' : 'aa').replace(
        /^6001/,
        kind === 'wasm' ? '6001' : '6002',
      );
      return { kind: 'compiled', compilation: built(request, kind, object), milliseconds: 1 };
    },
  };
  return { compiler, requests };
}

function built({ input }: CompileRequest, compilerKind: 'wasm' | 'native', object: string): Compilation {
  const base = aCompilation({});
  return {
    ...base,
    compiler: { language: 'Solidity', version: '0.8.20+commit.a1b79de6' },
    compilerKind,
    input,
    metadata: '{}',
    creation: { ...base.creation, object },
    runtime: { ...base.runtime, object },
    assembly: [{ value: object.slice(4), creation: 'once', runtime: 'once', isOwn: true }],
  };
}

function aContext(compiler: Compiler): AttemptContext {
  return {
    compilers: { Solidity: compiler, Yul: compiler, Vyper: compiler, Fe: compiler },
    search: {
      findOriginal: async () => ({ contents: { 'a.sol': CRLF }, variation: 'CRLF' }),
      findFiles: async () => null,
    },
    gateway: null,
    candidates: {
      find: async () => [],
      read: () => Promise.reject(new Error('none')),
    },
    onchain: {
      address: '0x',
      runtime: Uint8Array.from(Buffer.from(ONCHAIN, 'hex')),
      creation: async () => null,
    },
    budget: { totalMs: 1000, remainingMs: () => 1000, spend: () => {} },
    progress: { signal: new AbortController().signal, enter: () => {}, warn: () => {} },
  };
}

describe('the original line ends', () => {
  test('are compiled with the build of the compiler that gave the code on chain', async () => {
    const { compiler, requests } = aCompiler();
    const attempt = await attemptStandardJson(aContext(compiler), {
      input: { language: 'Solidity', sources: { 'a.sol': { content: LF } }, settings: { viaIR: true } },
      compilerVersion: '0.8.20+commit.a1b79de6',
      target: { path: 'a.sol', name: 'A' },
    });
    expect(attempt).toMatchObject({
      refusal: null,
      compilation: { compilerKind: 'wasm', input: { sources: { 'a.sol': { content: CRLF } } } },
      matches: { runtime: { grade: 'exact_match' } },
    });
    expect(requests.at(-1)?.kind).toBe('wasm');
  });
});
