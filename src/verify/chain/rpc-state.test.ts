import { describe, expect, test } from 'vitest';
import { createJsonRpcClient } from './json-rpc-client.ts';
import { createRpcState } from './rpc-state.ts';

const signal = new AbortController().signal;

/** A state behind endpoints that give these answers, one each; `error` is a JSON-RPC error. */
function aState(answers: readonly (string | null | { readonly error: string } | 'down')[]) {
  const endpoints = answers.map((_, index) => ({
    url: `http://rpc${index}.test/`,
    headers: {},
    timeoutMs: 1000,
    trace: null,
  }));
  const calls: unknown[] = [];
  const rpc = createJsonRpcClient(endpoints, {
    fetch: async (url, init) => {
      const call = JSON.parse(String(init.body));
      if (call.method === 'eth_chainId') return Response.json({ jsonrpc: '2.0', id: 1, result: '0x1' });
      calls.push([call.method, call.params]);
      const answer = answers[Number(/\d+/.exec(url)?.[0])];
      if (answer === 'down') return new Response('down', { status: 502 });
      const isError = typeof answer === 'object' && answer !== null;
      const end = isError ? { error: { code: -32000, message: answer.error } } : { result: answer };
      return Response.json({ jsonrpc: '2.0', id: 1, ...end });
    },
    clock: { now: () => 0 },
    chainId: '1',
    onWrongChain() {},
  });
  return { state: createRpcState(rpc), calls };
}

describe('createRpcState', () => {
  test('reads a slot, with or without leading zeros', async () => {
    const { state, calls } = aState(['0x7']);
    const slot = `0x${'0'.repeat(64)}` as const;
    expect(Buffer.from(await state.storageAt('0xaa', slot, signal)).toString('hex')).toBe(
      '7'.padStart(64, '0'),
    );
    expect(calls).toEqual([['eth_getStorageAt', ['0xaa', slot, 'latest']]]);
  });

  test.each([null, '7', `0x${'1'.repeat(65)}`])('cannot tell a slot from the answer %s', async (answer) => {
    const { state } = aState([answer]);
    await expect(state.storageAt('0xaa', '0x00', signal)).rejects.toMatchObject({
      code: 'chain_unavailable',
    });
  });

  test('calls a contract, and gives null when the contract itself fails', async () => {
    const { state, calls } = aState(['0x0102']);
    expect([...((await state.call('0xaa', '0x5c60da1b', signal)) ?? [])]).toEqual([1, 2]);
    expect(calls).toEqual([['eth_call', [{ to: '0xaa', data: '0x5c60da1b' }, 'latest']]]);
    expect(await aState([{ error: 'execution reverted' }]).state.call('0xaa', '0x', signal)).toBeNull();
  });

  test('asks the next node when one is down or refuses for a reason of its own', async () => {
    const { state } = aState(['down', { error: 'limit exceeded' }, '0x01']);
    expect(await state.call('0xaa', '0x', signal)).toEqual(new Uint8Array([1]));
    const busy = aState([{ error: 'limit exceeded' }]).state.call('0xaa', '0x', signal);
    await expect(busy).rejects.toMatchObject({ code: 'chain_unavailable' });
  });
});
