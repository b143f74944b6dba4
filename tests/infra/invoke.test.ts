import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#tests/conventions/files.ts';
import { runProgram } from '#tests/support/program.ts';

/* Tests a program that starts a service; wrong calls of the other programs are tested in `tests/bin`. */

const EVENTS = join(ROOT, 'events');

/** Response of each sample's function. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  'brand-create.json': { statusCode: 200, body: expect.stringContaining('"name":"Choy"') },
  'brand-list.json': { statusCode: 200, body: expect.stringContaining('"data":[{"id":') },
  'copy-unit.json': { batchItemFailures: [] },
  'discard-files.json': { batchItemFailures: [] },
  'follow-changes.json': null,
  'login.json': { statusCode: 200, body: expect.stringContaining('"token":"') },
};

test('each sample event goes through its function', async () => {
  const files = readdirSync(EVENTS).sort();
  expect(files).toEqual(Object.keys(ANSWERS));
  const paths = files.map((file) => join(EVENTS, file));
  const { code, stdout } = await runProgram('invoke', paths, { LOG_LEVEL: 'silent' });
  expect([code, answersIn(stdout)]).toMatchObject([0, Object.values(ANSWERS)]);
});

/** Parses values that are printed one below the other, each in lines of its own. */
function answersIn(text: string): unknown[] {
  return text
    .trim()
    .split(/(?<=^\}|^null)\n/m)
    .map((each) => JSON.parse(each));
}

test.each([
  [[], 'Which event?'],
  [['nowhere.json'], 'There is no file nowhere.json.'],
  [
    [join(ROOT, 'package.json')],
    'package.json is an event neither of API Gateway, nor of SQS, nor of a stream.',
  ],
  [[join(ROOT, 'README.md')], 'README.md is an event neither of API Gateway, nor of SQS, nor of a stream.'],
])('what is no event is told before anything starts: %j', async (files, told) => {
  const { code, stdout, stderr } = await runProgram('invoke', files);
  expect([code, stdout, stderr]).toEqual([
    1,
    '',
    expect.stringContaining(`${told}\n\nnpm run invoke -- <event>`),
  ]);
});
