import { setImmediate as otherEvents, setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { together } from './together.ts';

/** Questions of a storage that answers when it is told to. */
function heldStorage(patienceMs?: number) {
  const questions: string[] = [];
  const answers: { resolve: (answer: string) => void; reject: (fault: Error) => void }[] = [];
  const ask = together<string>((question) => {
    questions.push(question);
    return new Promise((resolve, reject) => answers.push({ resolve, reject }));
  }, patienceMs);
  return { ask, questions, answers };
}

test('an answer at hand is asked for each time', () => {
  let count = 0;
  const ask = together(() => ++count);
  expect([ask('a'), ask('a')]).toEqual([1, 2]);
});

test('whoever comes while an answer is on its way shares the next one, which begins when that has arrived', async () => {
  const { ask, questions, answers } = heldStorage();
  const first = ask('a');
  const late = [ask('a'), ask('a'), ask('a')];
  await otherEvents();
  expect(questions).toEqual(['a']);
  answers[0]?.resolve('old');
  expect(await first).toBe('old');
  await otherEvents();
  expect(questions).toEqual(['a', 'a']);
  const later = ask('a');
  answers[1]?.resolve('new');
  expect(await Promise.all(late)).toEqual(['new', 'new', 'new']);
  await otherEvents();
  answers[2]?.resolve('newest');
  expect(await later).toBe('newest');
  expect(questions).toHaveLength(3);
});

test('whoever comes when nobody waits asks at once', async () => {
  const { ask, questions, answers } = heldStorage();
  for (const answer of ['1', '2']) {
    const asked = ask('a');
    answers.at(-1)?.resolve(answer);
    expect(await asked).toBe(answer);
    await otherEvents();
  }
  expect(questions).toEqual(['a', 'a']);
});

test('other questions are asked beside', () => {
  const { ask, questions } = heldStorage();
  ask('a');
  ask('b');
  expect(questions).toEqual(['a', 'b']);
});

test('no more than 64 share a question', async () => {
  const { ask, questions, answers } = heldStorage();
  const first = ask('a');
  const sharers = Array.from({ length: 64 }, () => ask('a'));
  expect(questions).toHaveLength(1);
  const beside = ask('a');
  const nextOfIt = ask('a');
  expect(questions).toHaveLength(2);
  answers[0]?.resolve('1');
  expect(await first).toBe('1');
  await otherEvents();
  answers[2]?.resolve('3');
  expect(new Set(await Promise.all(sharers))).toEqual(new Set(['3']));
  answers[1]?.resolve('2');
  expect(await beside).toBe('2');
  await otherEvents();
  answers[3]?.resolve('4');
  expect(await nextOfIt).toBe('4');
  expect(questions).toHaveLength(4);
});

test('the next question does not wait for ever for the one before', async () => {
  const { ask, questions, answers } = heldStorage(5);
  const stuck = ask('a');
  const late = ask('a');
  await pause(30);
  expect(questions).toHaveLength(2);
  answers[1]?.resolve('new');
  expect(await late).toBe('new');
  answers[0]?.resolve('old');
  expect(await stuck).toBe('old');
  ask('a');
  expect(questions).toHaveLength(3);
});

test('an answer that fails is told to those who share it, and the next one is asked for', async () => {
  const { ask, questions, answers } = heldStorage();
  const first = ask('a');
  const late = ask('a');
  answers[0]?.reject(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await otherEvents();
  answers[1]?.reject(new Error('still away'));
  await expect(late).rejects.toThrow('still away');
  const after = ask('a');
  answers[2]?.resolve('back');
  expect(await after).toBe('back');
  expect(questions).toHaveLength(3);
});

test('a question that is refused or answered at once after one that was waited for is not kept', async () => {
  const answers: (() => Promise<number> | number)[] = [
    async () => 1,
    () => {
      throw new Error('refused');
    },
    async () => 3,
    () => 4,
    () => 5,
  ];
  const ask = together(() => answers.shift()!());
  const [first, refused] = [ask('a'), ask('a')];
  expect(await first).toBe(1);
  await expect(refused).rejects.toThrow('refused');
  const [third, fourth] = [ask('a'), ask('a')];
  expect(await Promise.all([third, fourth])).toEqual([3, 4]);
  expect(ask('a')).toBe(5);
});
