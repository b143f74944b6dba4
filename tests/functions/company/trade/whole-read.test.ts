import { expect, test } from 'vitest';
import * as z from 'zod';
import { call } from '#tests/support/http.ts';
import { make } from '#tests/support/records.ts';
import { newDepot, WRITE_OFFS, writeOffOf } from '#tests/support/write-offs.ts';

const Seen = z.object({ name: z.string(), products_count: z.int(), products: z.array(z.unknown()) });

const READERS = 3;
const EDITS = 12;

test('a document that is read while it is edited is shown as it was before or after, never between', async () => {
  const depot = await newDepot(100);
  const { token } = depot;
  const few = writeOffOf({ ...depot, goods: depot.goods.slice(0, 1) }, { name: 'few' });
  const many = writeOffOf(depot, { name: 'many' });
  const id = await make(WRITE_OFFS, token, few);
  let isEdited = true;
  const seen: string[] = [];
  const read = async () => {
    while (isEdited) {
      const { body } = await call(`GET ${WRITE_OFFS}/${id}`, { token });
      const { name, products_count, products } = Seen.parse(body);
      seen.push(`${name} ${products_count} ${products.length}`);
    }
  };
  const edit = async () => {
    for (let each = 0; each < EDITS; each++) {
      await call(`PUT ${WRITE_OFFS}/${id}`, { token, json: each % 2 ? few : many });
    }
    isEdited = false;
  };
  await Promise.all([edit(), ...Array.from({ length: READERS }, read)]);
  expect([...new Set(seen)].sort()).toEqual(['few 1 1', 'many 100 100']);
});
