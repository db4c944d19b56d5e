import { describe, expect, test } from 'vitest';
import type { Hex } from '../../values/hex.ts';
import type { ContractStateSource } from '../chain/rpc-state.ts';
import { SLOTS } from './proxy-candidates.ts';
import { createProxyResolver, type ResolvedContract } from './proxy-resolver.ts';

const TARGET = '5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
const PROXY_CODE = Buffer.from(`7f${SLOTS.implementation}5af4`, 'hex');
const FAILURE = {
  proxyResolutionError: {
    customCode: 'proxy_resolution_error',
    message: 'Error while running proxy detection and implementation resolution',
    errorId: 'an-id',
  },
};

function aResolver(nameOf: (address: Hex) => string | null = () => null) {
  const clock = { time: 0, now: () => clock.time };
  const faults: unknown[] = [];
  const resolver = createProxyResolver({
    nameOf: async (_chainId, address) => nameOf(address),
    clock,
    newId: () => 'an-id',
    timeoutMs: 20,
    keepMs: 1000,
    maxKept: 2,
    onFault: (error) => faults.push(error),
  });
  return { resolver, clock, faults };
}

/** Counts how often it is asked. */
function aSource(storageAt: () => Promise<Uint8Array>): ContractStateSource & { asked: number } {
  const source = {
    asked: 0,
    storageAt: () => {
      source.asked++;
      return storageAt();
    },
    call: async () => null,
  };
  return source;
}

const holding = () => aSource(async () => Buffer.from(TARGET.padStart(64, '0'), 'hex'));
const contract = (state: ContractStateSource | null, address: Hex = '0x01'): ResolvedContract => ({
  chainId: '1',
  address,
  state,
  runtime: PROXY_CODE,
  creation: null,
});

describe('createProxyResolver', () => {
  test('names an implementation only when it is verified', async () => {
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    const proxy = { isProxy: true, proxyType: 'EIP1967Proxy' };
    expect(await aResolver().resolver.resolve(contract(holding()))).toEqual({
      ...proxy,
      implementations: [{ address }],
    });
    const named = aResolver((lower) => (lower === `0x${TARGET}` ? 'Logic' : null));
    expect(await named.resolver.resolve(contract(holding()))).toEqual({
      ...proxy,
      implementations: [{ address, name: 'Logic' }],
    });
  });

  test('says plainly that a contract is none', async () => {
    const { resolver } = aResolver();
    expect(await resolver.resolve({ ...contract(null), runtime: Buffer.from('00', 'hex') })).toEqual({
      isProxy: false,
      proxyType: null,
      implementations: [],
    });
  });

  test('asks the chain once for requests at the same moment and for a while after', async () => {
    const { resolver, clock } = aResolver();
    const source = holding();
    await Promise.all([resolver.resolve(contract(source)), resolver.resolve(contract(source))]);
    const once = source.asked;
    clock.time = 999;
    await resolver.resolve(contract(source));
    expect(source.asked).toBe(once);
    clock.time = 1001;
    await resolver.resolve(contract(source));
    expect(source.asked).toBe(2 * once);
  });

  test('keeps a bounded number of contracts', async () => {
    const { resolver } = aResolver();
    const first = holding();
    await resolver.resolve(contract(first, '0x01'));
    const once = first.asked;
    await resolver.resolve(contract(holding(), '0x02'));
    await resolver.resolve(contract(holding(), '0x03'));
    await resolver.resolve(contract(first, '0x01'));
    expect(first.asked).toBe(2 * once);
  });

  test('gives a failure as a value when the chain does not answer in time, fails or is not there', async () => {
    const silent = aSource(() => new Promise(() => {}));
    const failing = aSource(() => Promise.reject(new Error('down')));
    for (const state of [silent, failing, null]) {
      const { resolver, faults } = aResolver();
      expect(await resolver.resolve(contract(state))).toEqual(FAILURE);
      expect(faults).toHaveLength(1);
    }
  });

  test('tries again soon after a failure, not at once', async () => {
    const { resolver, clock } = aResolver();
    const failing = aSource(() => Promise.reject(new Error('down')));
    await resolver.resolve(contract(failing));
    const once = failing.asked;
    await resolver.resolve(contract(failing));
    expect(failing.asked).toBe(once);
    clock.time = 101;
    expect(await resolver.resolve(contract(holding()))).toMatchObject({ isProxy: true });
  });
});
