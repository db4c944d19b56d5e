import { beforeAll, describe, expect, test } from 'vitest';
import { operationsOf, readDocument, type Schema } from '../support/openapi-document.ts';
import { collectAnswers } from './answers/collect-answers.ts';
import { documentedAnswer, schemaOfAnswer } from './answers/documented-answer.ts';
import { isMatterOfTime, NOT_ASKED, NOT_SEEN } from './answers/not-seen.ts';
import type { RecordedAnswer } from './answers/recording-server.ts';
import { judge, type NamedMember, namedMembers } from './answers/strict-schema.ts';

/** The documents against real answers: what is sent is named, what is named is sent. */
const document = readDocument('all');
let answers: readonly RecordedAnswer[] = [];
let judged: readonly {
  readonly answer: RecordedAnswer;
  readonly schema: Schema;
  readonly seen: readonly NamedMember[];
}[] = [];
let faults: readonly string[] = [];

beforeAll(async () => {
  answers = await collectAnswers();
  const results = answers.flatMap((answer) => {
    const schema = schemaOfAnswer(document, answer);
    return schema === null ? [] : [{ answer, schema, ...judge(document, schema, answer.value) }];
  });
  judged = results;
  faults = results.flatMap(({ answer, faults: found }) =>
    found.map((fault) => `${answer.operation} ${answer.status}${fault}`),
  );
}, 120_000);

test('every answer is documented with its status and its type', () => {
  const missing = answers.filter((answer) => {
    const documented = documentedAnswer(document, answer);
    return (
      documented === null || (documented.content !== undefined && schemaOfAnswer(document, answer) === null)
    );
  });
  expect([
    ...new Set(missing.map(({ operation, status, type }) => `${operation} ${status} ${type}`)),
  ]).toEqual([]);
});

test('every documented status was answered, or is listed with the reason', () => {
  const asked = new Set(answers.map(({ operation, status }) => `${operation} ${status}`));
  const named = operationsOf(document).flatMap(([method, path, { responses }]) =>
    Object.keys(responses).map((status) => `${method} ${path} ${status}`),
  );
  const isExcused = (answer: string) => NOT_ASKED.some(({ pattern }) => pattern.test(answer));
  expect(named.filter((each) => !asked.has(each) && !isExcused(each))).toEqual([]);
  expect(
    NOT_ASKED.filter(
      ({ pattern, reason }) =>
        !isMatterOfTime(reason) && !named.some((each) => pattern.test(each) && !asked.has(each)),
    ),
  ).toEqual([]);
});

test('no answer has a member that its schema does not name, and none lacks what is promised', () => {
  expect(faults).toEqual([]);
});

describe('the members that schemas of answers name', () => {
  const keyOf = ({ member, schema }: NamedMember) => `${nameOf(schema)}.${member}`;
  const all = () => {
    const known = new Set<Schema>();
    return judged.flatMap(({ schema }) => namedMembers(document, schema, known));
  };

  test('were sent, or are listed with the reason', () => {
    const sent = new Map<Schema, Set<string>>();
    for (const { seen } of judged) {
      for (const { member, schema } of seen) sent.set(schema, (sent.get(schema) ?? new Set()).add(member));
    }
    const unsent = all().filter(({ member, schema }) => sent.get(schema)?.has(member) !== true);
    expect(all().length).toBeGreaterThan(500);
    expect([...new Set(unsent.map(keyOf))].filter((key) => !(key in NOT_SEEN))).toEqual([]);
    const keys = new Set(unsent.map(keyOf));
    const stale = Object.keys(NOT_SEEN).filter((key) => !keys.has(key) && !isMatterOfTime(NOT_SEEN[key]));
    expect(stale).toEqual([]);
  });

  test('are missed when one is dropped, whichever it is', () => {
    const firstWith = new Map<Schema, Map<string, (typeof judged)[number]>>();
    for (const each of judged) {
      for (const { member, schema } of each.seen) {
        const of = firstWith.get(schema) ?? new Map();
        if (!of.has(member)) firstWith.set(schema, of.set(member, each));
      }
    }
    const dropped = [...firstWith].flatMap(([schema, members]) =>
      [...members].map(([member, { answer, schema: root }]) => ({ schema, member, answer, root })),
    );
    expect(dropped.length).toBeGreaterThan(500);
    const unnoticed = dropped.filter(
      ({ answer, member, root, schema }) =>
        judge(document, root, answer.value, { schema, member }).faults.length === 0,
    );
    expect(unnoticed.map(keyOf)).toEqual([]);
  });
});

/** Name of a named schema, otherwise its members. */
function nameOf(schema: Schema): string {
  const named = Object.entries(document.components.schemas).find(([, each]) => each === schema);
  return named?.[0] ?? `{${Object.keys(schema.properties ?? {}).join(',')}}`;
}
