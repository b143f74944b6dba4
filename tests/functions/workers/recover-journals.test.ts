import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { handler } from '#functions/workers/recover-journals.ts';
import { commit } from '#lib/table/journal/outcome.ts';
import { openJournal, readHeader, recordTargets } from '#lib/table/journal/store.ts';
import { newMessage } from '#tests/support/message.ts';

vi.stubEnv('LOG_LEVEL', 'silent');

test('a committed transaction that nobody finished is finished, whatever its function left', async () => {
  const id = randomUUID();
  await openJournal(id);
  await commit(id, await recordTargets(id, 'chunk', []), []);
  expect(await handler(...newMessage({ id }))).toEqual({ batchItemFailures: [] });
  expect(await readHeader(id)).toMatchObject({ state: 'committed', isClosed: true });
});

test('a transaction that is still being prepared is asked for again, and is no failure', async () => {
  const id = randomUUID();
  await openJournal(id);
  expect(await handler(...newMessage({ id }))).toEqual({ batchItemFailures: [] });
  expect(await readHeader(id)).toMatchObject({ state: 'preparing' });
});

test('a transaction that ended long ago is no work', async () => {
  expect(await handler(...newMessage({ id: randomUUID() }))).toEqual({ batchItemFailures: [] });
});
