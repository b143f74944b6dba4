import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { endpoint } from '#lib/http/endpoint.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { newEvent } from '#tests/support/event.ts';
import { newFamily } from '#tests/support/family.ts';

const Document = z.object({ id: z.int(), text: z.string() });
const Documents = z.object({ data: z.array(Document) });

const READ_AGAIN = 'read again';

/** Calls an operation, which returns documents with long texts, twice with one key. */
async function twice(...lengths: readonly number[]) {
  let runs = 0;
  const make = endpoint({
    right: 'staff',
    idempotent: true,
    response: z.union([Document, Documents]),
    run: async ({ saveResponse }) => {
      runs += 1;
      const documents = lengths.map((length, index) => ({ id: 7 + index, text: 'x'.repeat(length) }));
      const answer = oneOrAll(documents);
      await transact(saveResponse(answer));
      return answer;
    },
    reread: async (_, ids) => oneOrAll(ids.map((id) => ({ id, text: READ_AGAIN }))),
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
  const texts = answers.map(({ body }) => {
    const told = z.union([Document, Documents]).parse(JSON.parse(body));
    return 'data' in told ? told.data.map(({ text }) => text).join() : told.text;
  });
  return { runs, texts, replayed: answers.map(({ headers }) => headers['idempotent-replayed']) };
}

function oneOrAll(documents: readonly z.output<typeof Document>[]) {
  const [first] = documents;
  return documents.length === 1 && first ? first : { data: [...documents] };
}

test('a key keeps the answer of a document that fits an item, and gives that very one again', async () => {
  const text = 'x'.repeat(360_000);
  expect(await twice(360_000)).toEqual({ runs: 1, texts: [text, text], replayed: [undefined, 'true'] });
});

test('a kept answer comes back byte for byte, whatever the order of its keys', async () => {
  const names = ['transfer_id', 'cashbox_id', 'b', 'a', 'zz', 'y', 'Ω', 'c', 'exchange_key', 'x'];
  const source_data = Object.fromEntries(names.map((name, index) => [name, index / 10]));
  const make = endpoint({
    right: 'staff',
    idempotent: true,
    response: z.object({ id: z.int(), source_data: z.record(z.string(), z.number()) }),
    run: async ({ saveResponse }) => {
      await transact(saveResponse({ id: 7, source_data }));
      return { id: 7, source_data };
    },
  });
  const { director } = await newFamily();
  const [event, context] = newEvent({ method: 'POST' });
  const headers = { authorization: `Bearer ${director}`, 'idempotency-key': randomUUID() };
  const requestContext = { ...event.requestContext, timeEpoch: Date.now() };
  const call = { ...event, headers: { ...event.headers, ...headers }, requestContext };
  const [first, second] = [await make(call, context), await make(call, context)];
  expect(first.body).toBe(JSON.stringify({ id: 7, source_data }));
  expect(second.body).toBe(first.body);
  expect(second.headers['idempotent-replayed']).toBe('true');
});

test('of a larger one it keeps the id, and the document is read again', async () => {
  const text = 'x'.repeat(900_000);
  expect(await twice(900_000)).toEqual({
    runs: 1,
    texts: [text, READ_AGAIN],
    replayed: [undefined, 'true'],
  });
});

test('of a list of documents that is too large it keeps their ids', async () => {
  const text = 'x'.repeat(200_000);
  expect(await twice(200_000, 200_000)).toEqual({
    runs: 1,
    texts: [`${text},${text}`, `${READ_AGAIN},${READ_AGAIN}`],
    replayed: [undefined, 'true'],
  });
});
