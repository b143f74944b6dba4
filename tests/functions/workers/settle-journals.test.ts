import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { handler } from '#functions/workers/settle-journals.ts';
import { recordJournal, turn } from '#lib/table/journal-store.ts';
import { getItem } from '#lib/table/reads.ts';
import { newMessage } from '#tests/kit/message.ts';

vi.stubEnv('LOG_LEVEL', 'silent');

test('a committed transaction that nobody finished is finished, whatever its function left', async () => {
  const id = randomUUID();
  await recordJournal(id, []);
  await turn(id, 'committed');
  expect(await handler(newMessage({ id }))).toEqual({ batchItemFailures: [] });
  expect(await getItem({ pk: `journal#${id}`, sk: 'header' })).toBeUndefined();
});

test('one that is still being prepared comes again later', async () => {
  const id = randomUUID();
  await recordJournal(id, []);
  expect((await handler(newMessage({ id }))).batchItemFailures).toHaveLength(1);
});

test('one that ended long ago is no work', async () => {
  expect(await handler(newMessage({ id: randomUUID() }))).toEqual({ batchItemFailures: [] });
});
