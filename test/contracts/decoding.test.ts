import { expect, test } from 'vitest';
import { type Hex, parseHex } from '../../src/values/hex.ts';
import { createDecodeCalls } from '../../src/verify/decoding/decode-calls.ts';
import { readSignatures } from '../../src/verify/signatures.ts';
import { aCompilation, aMatch } from '../kit/verify/a-verification.ts';
import { storeMatch } from '../kit/verify/store-match.ts';
import { forEachBackend } from './backends.ts';

const addressOf = (index: number): Hex => `0x${String(index).padStart(40, '0')}`;
const bytes = (hex: string) => parseHex(hex) ?? expect.fail(`${hex} is hex`);
const aFunction = (name: string, ...types: readonly string[]) => ({
  type: 'function',
  name,
  inputs: types.map((type) => ({ name: 'p', type })),
});
const TRANSFER = aFunction('transfer', 'address', 'uint256');
const MOVED = { ...aFunction('Moved', 'uint256'), type: 'event' };
const RARE = { ...aFunction('Rare'), type: 'event' };
const REFUSED = { ...aFunction('Refused', 'uint256'), type: 'error' };
/** Has the selector of `transfer(address,uint256)`. */
const COLLIDING = aFunction('many_msg_babbage', 'bytes1');
const ONE = '0'.repeat(63).concat('1');

const hashOf = (item: object) => readSignatures([item])[0]?.hash ?? expect.fail('it has a signature');
const selectorOf = (item: object) => hashOf(item).slice(0, 8);

forEachBackend('what decoding reads', (begin) => {
  async function filled() {
    const { verify } = await begin().open();
    const store = (index: number, abi: readonly object[], comment = String(index), chainId = '1') =>
      storeMatch(
        verify,
        { address: addressOf(index), chainId },
        aMatch({ compilation: { ...aCompilation({ comment }), abi }, runtime: 'match', creation: null }),
      );
    await store(1, [TRANSFER, MOVED, REFUSED]);
    await store(2, [COLLIDING, MOVED]);
    await store(3, [COLLIDING, MOVED], '2');
    await store(3, [TRANSFER], 'another chain', '2');
    for (const index of [4, 5]) await store(index, [MOVED]);
    await store(6, [MOVED, RARE]);
    return verify.decoding;
  }

  test('are the compilations of addresses, and their artifacts', async () => {
    const decoding = await filled();
    const found = await decoding.listOfAddresses('1', [1, 2, 3, 9].map(addressOf));
    const byAddress = new Map(found.map(({ address, compilationId }) => [address, compilationId]));
    expect([...byAddress.keys()].sort()).toEqual([1, 2, 3].map(addressOf));
    expect(byAddress.get(addressOf(3))).toBe(byAddress.get(addressOf(2)));
    const artifacts = await decoding.readArtifacts([...new Set(byAddress.values())]);
    expect(artifacts).toHaveLength(2);
    for (const { compilationId, artifacts: text } of artifacts) {
      const { bytes: size } = found.find((each) => each.compilationId === compilationId) ?? expect.fail();
      expect(size).toBe(Buffer.byteLength(text));
      expect(JSON.parse(text).abi.length).toBeGreaterThan(0);
    }
    expect(await decoding.listOfAddresses('3', [addressOf(1)])).toEqual([]);
    expect(await decoding.readArtifacts([])).toEqual([]);
  });

  test('are the signatures of selectors by kind', async () => {
    const decoding = await filled();
    const selector = selectorOf(TRANSFER);
    const found = await decoding.listOfSelectors('function', [selector, '00000000', selectorOf(REFUSED)], 10);
    expect(found.map(({ signature }) => signature).sort()).toEqual([
      'many_msg_babbage(bytes1)',
      'transfer(address,uint256)',
    ]);
    expect(new Set(found.map((each) => each.selector))).toEqual(new Set([selector]));
    expect(await decoding.listOfSelectors('error', [selectorOf(REFUSED)], 10)).toEqual([
      { selector: selectorOf(REFUSED), signature: 'Refused(uint256)' },
    ]);
    expect(await decoding.listOfSelectors('function', [selector], 1)).toHaveLength(1);
  });

  test('are the first four compilations that have an event', async () => {
    const decoding = await filled();
    const [topic, other] = [hashOf(MOVED), hashOf(RARE)];
    const found = await decoding.listOfTopics([topic, 'ff'.repeat(32), other]);
    const of = (asked: string) => found.filter((each) => each.topic === asked);
    const [{ compilationId: last = 0n } = {}] = of(other);
    expect([of(topic).length, of(other).length, found.length]).toEqual([4, 1, 5]);
    expect(new Set(of(topic).map(({ compilationId }) => compilationId)).size).toBe(4);
    expect(of(topic).every(({ compilationId }) => compilationId < last)).toBe(true);
    expect(found.every((each) => each.bytes > 0)).toBe(true);
  });

  test('decodes a page of calls, reverts and logs', async () => {
    const decoder = createDecodeCalls(await filled());
    const at = (index: number) => ({ chain: '1', address: bytes(addressOf(index)) });
    const transfer = bytes(`${selectorOf(TRANSFER)}${'0'.repeat(64)}${ONE}`);
    expect(
      await decoder.decodeAll([
        { kind: 'call', ...at(1), data: transfer },
        { kind: 'call', ...at(2), data: transfer },
        { kind: 'call', ...at(9), data: transfer },
        { kind: 'revert', ...at(9), data: bytes(`${selectorOf(REFUSED)}${ONE}`) },
        { kind: 'log', ...at(9), topics: [bytes(hashOf(MOVED))], data: bytes(ONE) },
        { kind: 'log', ...at(4), topics: [bytes(hashOf(MOVED))], data: bytes(ONE) },
      ]),
    ).toMatchObject([
      { name: 'transfer', source: 'contract' },
      null as never,
      { name: 'transfer', source: 'signature' },
      { name: 'Refused', source: 'signature' },
      { name: 'Moved', source: 'signature', arguments: [{ name: null, value: '1', indexed: false }] },
      { name: 'Moved', source: 'contract', arguments: [{ name: 'p', value: '1' }] },
    ]);
  });
});
