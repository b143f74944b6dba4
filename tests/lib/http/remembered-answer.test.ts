import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { endpoint } from '#lib/http/endpoint.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { newEvent } from '#tests/kit/event.ts';
import { newFamily } from '#tests/kit/family.ts';

const Document = z.object({ id: z.int(), text: z.string() });

/** Calls an operation, which answers with so long a text, twice with one key. */
async function twice(length: number) {
  let runs = 0;
  const make = endpoint({
    right: 'staff',
    idempotent: true,
    answers: Document,
    run: async ({ remember }) => {
      runs += 1;
      const document = { id: 7, text: 'x'.repeat(length) };
      await transact(remember(document));
      return document;
    },
    reread: async (_, id) => ({ id, text: 'read again' }),
  });
  const { director } = await newFamily();
  const key = randomUUID();
  const answers = [];
  for (let turn = 0; turn < 2; turn++) {
    const [event, context] = newEvent({ method: 'POST' });
    const headers = { ...event.headers, authorization: `Bearer ${director}`, 'idempotency-key': key };
    const requestContext = { ...event.requestContext, timeEpoch: Date.now() };
    answers.push(await make({ ...event, headers, requestContext }, context));
  }
  const texts = answers.map(({ body }) => Document.parse(JSON.parse(body)).text);
  return { runs, texts, replayed: answers.map(({ headers }) => headers['idempotent-replayed']) };
}

test('a key keeps the answer of a document that fits an item, and gives that very one again', async () => {
  const text = 'x'.repeat(360_000);
  expect(await twice(360_000)).toEqual({ runs: 1, texts: [text, text], replayed: [undefined, 'true'] });
});

test('of a larger one it keeps the id, and the document is read again', async () => {
  const text = 'x'.repeat(900_000);
  expect(await twice(900_000)).toEqual({
    runs: 1,
    texts: [text, 'read again'],
    replayed: [undefined, 'true'],
  });
});
