import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { check, put, putNew, remove, update } from '#lib/table/change/write.ts';
import { atLeast, equals } from '#lib/table/expression.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { Contention, retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { ApiError, invalid, notFound } from '#lib/values/api-error.ts';

function newKey() {
  return { pk: `test#${randomUUID()}`, sk: '1' };
}

async function caught(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

test('all the writes are made', async () => {
  const [a, b, c] = [newKey(), newKey(), newKey()];
  await transact([putNew(a, { n: 1 }), putNew(b, { n: 2 }), putNew(c, { n: 3 })]);
  await transact([
    put(a, { n: 10 }),
    update(b, { set: { text: 'x' }, add: { n: 5 } }, { if: atLeast('n', 2) }),
    remove(c),
  ]);
  expect(await getItems([a, b, c])).toEqual([{ ...a, n: 10 }, { ...b, n: 7, text: 'x' }, undefined]);
});

test('none of the writes is made if one guard fails, and its refusal is thrown', async () => {
  const [a, b] = [newKey(), newKey()];
  await transact([putNew(a, { n: 1 })]);
  const error = await caught(
    transact([
      putNew(b, {}),
      update(a, { add: { n: 1 } }, { if: atLeast('n', 2), otherwise: invalid({ n: 'validation.invalid' }) }),
    ]),
  );
  expect(error).toMatchObject({ status: 422, fields: { n: { key: 'validation.invalid' } } });
  expect(await getItem(b)).toBeUndefined();
});

test('all fields whose guards fail are named at once', async () => {
  const [a, b] = [newKey(), newKey()];
  await transact([putNew(a, {}), putNew(b, {})]);
  const taken = (path: string) => invalid({ [path]: 'validation.taken' });
  const error = await caught(transact([putNew(a, {}, taken('name')), putNew(b, {}, taken('code'))]));
  expect(error).toMatchObject({ status: 422, fields: { name: {}, code: {} } });
});

test('a refusal without fields is reported before field errors', async () => {
  const a = newKey();
  const error = await caught(
    transact([
      check(a, { if: equals('n', 1), otherwise: notFound() }),
      update(
        newKey(),
        { set: { n: 1 } },
        { if: equals('n', 1), otherwise: invalid({ n: 'validation.invalid' }) },
      ),
    ]),
  );
  expect(error).toMatchObject({ status: 404 });
});

test('a guard with nothing to tell the caller is a contention, which is worth another try', async () => {
  const a = newKey();
  await transact([putNew(a, {})]);
  expect(await caught(transact([putNew(a, {})]))).toBeInstanceOf(Contention);
});

test('work that loses every race ends with 409; work that wins one is done once', async () => {
  const error = await caught(retryOnContention(() => Promise.reject(new Contention())));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 409 });
  let tries = 0;
  const result = await retryOnContention(async () => {
    tries += 1;
    if (tries < 3) throw new Contention();
    return 'done';
  });
  expect([result, tries]).toEqual(['done', 3]);
});

test('twenty transactions over the same two items at once all come through', async () => {
  const [a, b] = [newKey(), newKey()];
  const transfer = () => transact([update(a, { add: { n: -1 } }), update(b, { add: { n: 1 } })]);
  await Promise.all(Array.from({ length: 20 }, transfer));
  expect(await getItems([a, b])).toMatchObject([{ n: -20 }, { n: 20 }]);
});

test.each([
  ['one of DynamoDB’s', 0],
  ['of a journal', 150],
])(
  'an item never comes twice in a transaction, %s: what its write conditions refuse is reported, else it is a defect',
  async (_, others) => {
    const key = newKey();
    const beside = Array.from({ length: others }, () => putNew(newKey(), {}));
    const unknown = (path: string) => invalid({ [path]: 'validation.not_found' });
    const ofItself = check(key, { if: equals('n', 1), otherwise: unknown('parent_id') });
    const ofAnother = check(newKey(), { if: equals('n', 1), otherwise: unknown('brand_id') });
    expect(await caught(transact([putNew(key, { n: 1 }), ofItself, ofAnother, ...beside]))).toMatchObject({
      status: 422,
      fields: { parent_id: {}, brand_id: {} },
    });
    expect(await caught(transact([put(key, { n: 1 }), update(key, { add: { n: 1 } }), ...beside]))).toEqual(
      new Error(`A transaction has two writes of one item, ${key.pk}\n${key.sk}`),
    );
    expect(await getItem(key)).toBeUndefined();
  },
);
