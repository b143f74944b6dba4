import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { contextOf } from '#bin/local/event.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/response.ts';
import { putNew, update } from '#lib/table/change/write.ts';
import { equals } from '#lib/table/expression.ts';
import { LOCK } from '#lib/table/items.ts';
import { openJournal } from '#lib/table/journal/store.ts';
import { getItem } from '#lib/table/read/get.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { newEvent } from '#tests/support/event.ts';

vi.stubEnv('LOG_LEVEL', 'silent');

const SHORT_MS = 4000;

test('a call that waits too long is answered 503 before its function ends, and writes nothing afterwards', async () => {
  const key = { pk: `test#${randomUUID()}`, sk: '1' };
  const journal = `${String(Date.now()).padStart(15, '0')}-${randomUUID()}`;
  await transact([putNew(key, { n: 0 })]);
  await openJournal(journal);
  await transact([update(key, { set: { [LOCK]: journal } })]);
  const waiting = endpoint({
    right: 'anyone',
    response: Confirmation,
    run: () => retryOnContention(() => transact([update(key, { add: { n: 1 } })])),
  });
  const [event] = newEvent();
  const began = performance.now();
  const context = contextOf('test', event.requestContext.requestId, SHORT_MS);
  const { statusCode, headers } = await waiting(event, context);
  expect([statusCode, headers['retry-after']]).toEqual([503, '1']);
  expect(performance.now() - began).toBeLessThan(SHORT_MS);
  // The lease is over by then: work that still went on would roll the journal back, and write.
  await pause(11_000);
  expect(await getItem(key)).toMatchObject({ n: 0 });
});

test('work that an operation has not done when it is answered stays undone', async () => {
  const key = { pk: `test#${randomUUID()}`, sk: '1' };
  let left: Promise<void> | undefined;
  const hasty = endpoint({
    right: 'anyone',
    response: Confirmation,
    run: () => {
      left = pause(200).then(() => transact([putNew(key, { n: 1 }, undefined)]));
      left.catch(() => undefined);
    },
  });
  expect((await hasty(...newEvent())).statusCode).toBe(200);
  await expect(left).rejects.toMatchObject({ status: 503 });
  expect(await getItem(key)).toBeUndefined();
  await transact([putNew(key, { n: 2 })]);
  await transact([update(key, { add: { n: 1 } }, { if: equals('n', 2) })]);
  expect(await getItem(key)).toMatchObject({ n: 3 });
});
