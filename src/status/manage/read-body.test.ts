import { describe, expect, test } from 'vitest';
import { readFormMembers } from './read-body.ts';

const read = (text: string) => readFormMembers(new URLSearchParams(text));

describe('readFormMembers', () => {
  test('reads texts, lists and objects by their brackets', () => {
    expect(
      read(
        'incident[name]=Slow&incident[component_ids][]=a&incident[component_ids][]=b&incident[components][a]=operational',
      ),
    ).toEqual({
      incident: { name: 'Slow', component_ids: ['a', 'b'], components: { a: 'operational' } },
    });
    expect(read('')).toEqual({});
  });

  test('the last of two texts of one name counts', () => {
    expect(read('name=a&name=b')).toEqual({ name: 'b' });
  });

  test.each([
    ['a text that is an object as well', 'a=1&a[b]=2'],
    ['an object that is a list as well', 'a[b]=1&a[]=2'],
    ['open brackets', 'a[b=1'],
    ['nothing before the brackets', '[b]=1'],
    ['too many levels', `a${'[b]'.repeat(8)}=1`],
    ['a list inside of a name', 'a[][b]=1'],
  ])('refuses %s', (_, text) => {
    expect(read(text)).toBeNull();
  });

  test('takes the names of built-in members as ordinary ones', () => {
    const members = read('__proto__[polluted]=1&constructor[x]=2');
    expect(Object.keys(members ?? {})).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
