import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { putNew } from '#lib/table/change/write.ts';
import { dynamo, tableName } from '#lib/table/client.ts';
import { getRawItems } from '#lib/table/items.ts';
import { transact } from '#lib/table/transaction/transact.ts';

afterEach(() => dynamo.middlewareStack.remove('leftover'));

const Asked = z.object({
  RequestItems: z.record(z.string(), z.object({ Keys: z.array(z.record(z.string(), z.unknown())) })),
});

/**
 * Makes the table leave all keys but the first of a batch unprocessed, as under throttling, the given number
 * of times.
 */
function leaveOver(times: number) {
  let left = times;
  dynamo.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const input = Asked.safeParse(args.input).data?.RequestItems[tableName()];
        if (!commandName?.startsWith('BatchGet') || !input || left === 0) return next(args);
        left -= 1;
        const [first, ...others] = input.Keys;
        const asked = { ...args.input, RequestItems: { [tableName()]: { ...input, Keys: [first] } } };
        const result = await next({ ...args, input: asked });
        const kept = others.length > 0 ? others : [first];
        Object.assign(result.output, { UnprocessedKeys: { [tableName()]: { ...input, Keys: kept } } });
        return result;
      },
    { step: 'initialize', name: 'leftover', priority: 'high' },
  );
}

async function newKeys() {
  const pk = `test#${randomUUID()}`;
  const keys = ['a', 'b', 'c'].map((sk) => ({ pk, sk }));
  await transact(keys.map((key) => putNew(key, { n: 1 })));
  return keys;
}

test('keys that the table leaves over are asked for again', async () => {
  const keys = await newKeys();
  leaveOver(2);
  expect((await getRawItems(keys)).map((item) => item?.['n'])).toEqual([1, 1, 1]);
});

test('a table that goes on leaving keys over is busy: 503, and no defect', async () => {
  const keys = await newKeys();
  leaveOver(Number.POSITIVE_INFINITY);
  await expect(getRawItems(keys)).rejects.toMatchObject({ status: 503, retryAfter: 1 });
});
