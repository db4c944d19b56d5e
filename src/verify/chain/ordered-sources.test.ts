import { describe, expect, test } from 'vitest';
import type { Hex } from '../../values/hex.ts';
import { createOrderedSources } from './chain-registry.ts';
import { ChainUnavailableError, type ContractCodeSource } from './contract-code-source.ts';

const ADDRESS = `0x${'ab'.repeat(20)}` as Hex;
const [CODE, NONE] = [Uint8Array.of(1), new Uint8Array()];

function source(name: string, answer: Uint8Array | Error, isChain = false) {
  const runtimeCode: ContractCodeSource['runtimeCode'] = async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { name, isChain, source: { runtimeCode, creation: async () => null } };
}
const away = (advice: string) => new ChainUnavailableError('x', [advice], { advice });

describe('sources of one chain', () => {
  test.each([
    ['the first with code', [source('a', NONE), source('b', CODE)], CODE],
    ['another when one is away', [source('a', away('gone')), source('b', CODE)], CODE],
    ['nothing, when the chain has nothing', [source('a', away('gone')), source('b', NONE, true)], NONE],
    ['nothing, when nobody has', [source('a', NONE), source('b', NONE)], NONE],
  ])('give %s', async (_, sources, expected) => {
    expect(await createOrderedSources(sources).runtimeCode(ADDRESS)).toEqual(expected);
  });

  test('are unavailable when one is away and the chain itself was not asked', async () => {
    const asked = createOrderedSources([source('a', away('gone')), source('b', NONE)]).runtimeCode(ADDRESS);
    await expect(asked).rejects.toMatchObject({ advice: 'gone' });
  });

  test('tell the reasons of all when all are away, and the advice of the first', async () => {
    const asked = createOrderedSources([
      source('a', away('no sidecar')),
      source('b', away('no node'), true),
    ]).runtimeCode(ADDRESS);
    await expect(asked).rejects.toMatchObject({ advice: 'no sidecar' });
    await expect(asked).rejects.toThrow(/no sidecar.*no node/);
  });

  test('hide no other error', async () => {
    const asked = createOrderedSources([
      source('a', new TypeError('a defect')),
      source('b', CODE),
    ]).runtimeCode(ADDRESS);
    await expect(asked).rejects.toThrow('a defect');
  });
});
