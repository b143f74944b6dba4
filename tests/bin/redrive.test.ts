import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { newQueues, waitingIn } from '#tests/support/dead-letters.ts';
import { runProgram } from '#tests/support/program.ts';

const newStage = () => `s${randomBytes(4).toString('hex')}`;
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `{"n":${n}}`).sort();

test('what a worker failed at is given back to it, and to no other stage', async () => {
  const [stage, other] = [newStage(), newStage()];
  const lists = await newQueues(stage, 'indexlists', numbered(23));
  const units = await newQueues(stage, 'copyunit', ['{"unit":1}']);
  const others = await newQueues(other, 'indexlists', ['{"other":1}']);
  const { code, stdout } = await runProgram('redrive', ['--stage', stage]);
  expect(stdout).toContain('index-lists: 23 messages were given back.');
  expect(stdout).toContain('copy-unit: 1 messages were given back.');
  expect(code).toBe(0);
  expect(await waitingIn(lists.queue)).toEqual(numbered(23));
  expect(await waitingIn(lists.deadLetters)).toEqual([]);
  expect(await waitingIn(units.queue)).toEqual(['{"unit":1}']);
  expect(await waitingIn(others.queue)).toEqual([]);
  expect(await waitingIn(others.deadLetters)).toEqual(['{"other":1}']);
});

test('one worker can be named, and the others keep their dead letters', async () => {
  const stage = newStage();
  const lists = await newQueues(stage, 'indexlists', ['1']);
  const units = await newQueues(stage, 'copyunit', ['2']);
  const { code, stdout } = await runProgram('redrive', ['--stage', stage, '--worker', 'copy-unit']);
  expect([code, stdout]).toEqual([
    0,
    'copy-unit: 1 messages were given back.\n1 dead-letter queues are empty.\n',
  ]);
  expect(await waitingIn(lists.deadLetters)).toEqual(['1']);
  expect(await waitingIn(units.queue)).toEqual(['2']);
});

test('a worker or a stage that does not exist is reported, and nothing is done', async () => {
  const unknown = await runProgram('redrive', ['--stage', 'dev', '--worker', 'nobody']);
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain('index-lists');
  const elsewhere = await runProgram('redrive', ['--stage', newStage()]);
  expect(elsewhere.code).toBe(1);
  expect(elsewhere.stderr).toContain('has no such queue');
});
