import { afterEach, describe, expect, test } from 'vitest';
import { SourceColours, type SourceColoursLimits } from './source-colours.ts';

const PATIENT: SourceColoursLimits = { patienceMs: 60_000, timeoutMs: 60_000 };
const TEXT = 'contract A {\n  /* over\n two lines */ string s = "<b>";\n}\n';

let colours: SourceColours | undefined;
afterEach(() => colours?.close());

const withLimits = (limits: SourceColoursLimits): SourceColours => {
  colours = new SourceColours(limits);
  return colours;
};

describe('SourceColours', () => {
  test('marks tokens by classes, line by line, and escapes every text', async () => {
    const { markup, lines, isFinal } = await withLimits(PATIENT).print(TEXT, 'solidity');
    expect([lines, isFinal]).toEqual([4, true]);
    const printed = markup.split('\n');
    expect(printed[0]).toContain(
      '<span id="L1"><a href="#L1" tabindex="-1">1</a><span class="tok-keyword">contract</span>',
    );
    expect(printed[1]).toContain('<span class="tok-comment">/* over</span>');
    expect(printed[2]).toContain('<span class="tok-comment"> two lines */</span>');
    expect(printed[2]).toContain('&lt;b&gt;');
    expect(markup).not.toMatch(/ style=|<b>/);
  });

  test.each([
    ['vyper', '@external\ndef f(a: uint256) -> bool:\n    return True', 'tok-type'],
    ['yul', 'object "A" { code { let x := 0x1f } }', 'tok-number'],
    ['json', '{"a": [1, true]}', 'tok-function'],
    ['fe', 'pub fn f(x: u256) -> u256 { return 1 }', 'tok-keyword'],
  ] as const)('knows %s', async (language, text, style) => {
    expect((await withLimits(PATIENT).print(text, language)).markup).toContain(style);
  });

  test('shows a file without colours when they do not come in time, and has them later', async () => {
    const limited = withLimits({ patienceMs: 0, timeoutMs: 60_000 });
    const first = await limited.print(TEXT, 'solidity');
    expect(first.isFinal).toBe(false);
    expect(first.markup).not.toContain('tok-');
    await expect.poll(async () => (await limited.print(TEXT, 'solidity')).isFinal).toBe(true);
    expect((await limited.print(TEXT, 'solidity')).markup).toContain('tok-keyword');
  });

  test('goes on after a file that the thread cannot finish', async () => {
    const limited = withLimits({ patienceMs: 60_000, timeoutMs: 1 });
    const printed = await limited.print(TEXT, 'solidity');
    expect(printed).toMatchObject({ isFinal: false, lines: 4 });
    expect(printed.markup).not.toContain('tok-');
  });

  test('refuses to queue more than it may', async () => {
    const limited = withLimits({ ...PATIENT, queue: 1 });
    const first = limited.print('contract A {}', 'solidity');
    expect((await limited.print('contract B {}', 'solidity')).isFinal).toBe(false);
    expect((await first).isFinal).toBe(true);
  });

  test('bounds lines of a megabyte and files of many lines', async () => {
    const patient = withLimits(PATIENT);
    const long = await patient.print(`contract A {}\n${'<'.repeat(1_048_576)}`, 'solidity');
    expect(long).toMatchObject({ lines: 2, cutLines: 1 });
    expect(long.markup.length).toBeLessThan(20_000);
    const many = await patient.print('\n'.repeat(100_000), 'solidity');
    expect(many).toMatchObject({ lines: 10_000, omittedLines: 90_000 });
    expect(many.markup.length).toBeLessThan(1_000_000);
  });
});
