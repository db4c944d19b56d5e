import { describe, expect, test } from 'vitest';
import { boundFailureData } from './job-failure.ts';

const anError = (text: string) => ({
  severity: 'error',
  message: text,
  formattedMessage: text,
  sourceLocation: { file: 'a.sol', start: 1, end: 2 },
});

describe('boundFailureData', () => {
  test('leaves what is small as it is', () => {
    const data = { compilerErrors: [anError('a'), anError('b')], seconds: 5 };
    expect(boundFailureData(data)).toEqual(data);
  });

  test('cuts long texts and tells how many errors were left out', () => {
    const data = boundFailureData({ compilerErrors: [anError('x'.repeat(10_000)), anError('b')] });
    expect(data['compilerErrors']).toHaveLength(2);
    expect(JSON.stringify(data)).toContain(`${'x'.repeat(4000)}…`);
    const many = boundFailureData({ compilerErrors: Array.from({ length: 70 }, () => anError('a')) });
    expect(many).toMatchObject({ omittedCompilerErrors: 20 });
  });

  test('stays small whatever a compiler says', () => {
    const location = { file: 'f'.repeat(50_000), message: 'm'.repeat(50_000) };
    const hostile = {
      ...anError('x'.repeat(1_000_000)),
      secondarySourceLocations: Array.from({ length: 1000 }, () => location),
    };
    const data = boundFailureData({ compilerErrors: Array.from({ length: 1000 }, () => hostile) });
    expect(JSON.stringify(data).length).toBeLessThan(100_000);
    const [first] = data['compilerErrors'] as readonly object[];
    expect(first).toMatchObject({ severity: 'error' });
  });

  test('lists of names are cut too', () => {
    const data = boundFailureData({ missingSources: Array.from({ length: 10_000 }, (_, i) => `${i}.sol`) });
    expect(data['missingSources']).toHaveLength(50);
  });
});
