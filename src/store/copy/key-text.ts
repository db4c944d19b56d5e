import type { CopiedRow } from './copy-end.ts';

type Told = readonly [type: 'i' | 't' | 'b', text: string];

/** A key as text that gives back the same values. */
export function keyToText(key: CopiedRow): string {
  return JSON.stringify(key.map(told));
}

export function keyFromText(text: string): CopiedRow {
  return (JSON.parse(text) as Told[]).map(([type, value]) => {
    if (type === 'i') return BigInt(value);
    return type === 'b' ? Buffer.from(value, 'hex') : value;
  });
}

function told(value: CopiedRow[number]): Told {
  if (value === null) throw new Error('A key has no null');
  if (typeof value === 'string') return ['t', value];
  if (typeof value === 'object') return ['b', Buffer.from(value).toString('hex')];
  return ['i', value.toString()];
}
