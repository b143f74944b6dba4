import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBooks } from '#bin/verify/family.ts';
import { CollectionInput, collect } from '#lib/cash/collection/collect.ts';
import { confirm } from '#lib/cash/collection/end.ts';
import { collections } from '#lib/cash/collection/record.ts';
import { DeskMoney, deskMoneyKey } from '#lib/cash/desk/money.ts';
import { moveByReason, OperationInput } from '#lib/cash/operation/by-reason.ts';
import { cancelOperation, reverse } from '#lib/cash/operation/cancel.ts';
import { MoveInput, moveBetween } from '#lib/cash/operation/move.ts';
import { deskPostings } from '#lib/cash/posting/record.ts';
import { parseStored } from '#lib/records/stored.ts';
import { partition } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { ApiError } from '#lib/values/api-error.ts';
import { splitEvery } from '#lib/values/concurrency.ts';
import { directorAs } from '#tests/support/family.ts';
import { newTill } from '#tests/support/operations.ts';
import { make } from '#tests/support/records.ts';
import { nothing } from '#tests/support/save-response.ts';

const AT = Date.now();
const CASH = { payment_type: 'cash', currency: 'uzs' };

/** Operations with cash: `which` chooses a desk or a posting, `other` the receiving desk. */
const step = fc.record({
  name: fc.constantFrom('income', 'outcome', 'move', 'reverse', 'cancel', 'collect', 'confirm'),
  which: fc.nat(30),
  other: fc.nat(2),
  amount: fc.integer({ min: 1, max: 300 }),
});

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Creates a main desk and two sale desks, and lists the possible operations with their cash. */
async function newDesks() {
  const till = await newTill();
  const second = await make('/company/cashbox/cashbox', till.token, { name: 'Desk 2', type: 'sale' });
  const desks = [till.mainId, till.cashboxId, second];
  const actor = directorAs(till.directorId, till.companyId);
  const deskOf = (which: number) => desks[which % desks.length] ?? till.mainId;

  const run = ({ name, which, other, amount }: Step): Promise<unknown> => {
    const cashbox_id = deskOf(which);
    const id = which + 1;
    switch (name) {
      case 'income':
      case 'outcome': {
        const money = { cashbox_id, type: name, ...CASH, amount, reason_id: till[name] };
        return moveByReason(actor, OperationInput.parse(money), AT, nothing);
      }
      case 'move': {
        const sides = { from_cashbox_id: cashbox_id, to_cashbox_id: deskOf(other) };
        return moveBetween(actor, MoveInput.parse({ ...sides, ...CASH, amount }), AT, nothing);
      }
      case 'reverse':
        return reverse(actor, id, AT, nothing);
      case 'cancel':
        return cancelOperation(actor, { id, cancel_comment: 'Ошибка' }, AT, nothing);
      case 'collect': {
        const items = [{ ...CASH, amount }];
        return collect(actor, CollectionInput.parse({ cashbox_id, items }), AT, nothing);
      }
      case 'confirm':
        return confirm(actor, { id: 1 + (which % 5), items: [], comment: null }, AT, nothing);
    }
  };

  return { ...till, tenant: actor.tenant, desks, run };
}

test('whatever is done at once, desks have what came in less what went out, but for what is on its way', async () => {
  const days = fc.array(step, { minLength: 30, maxLength: 45 });
  const property = fc.asyncProperty(days, async (steps) => {
    const { tenant, desks, run, companyId } = await newDesks();
    for (const atOnce of splitEvery(steps, 3)) {
      const done = await Promise.allSettled(atOnce.map(run));
      for (const each of done) if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(ApiError);
    }
    const postings = (await wholePartition(partition(deskPostings.type, tenant)))
      .map((item) => parseStored(deskPostings.schema, item))
      .filter(({ status }) => status !== 'canceled');
    const sumOf = (chosen: typeof postings) =>
      chosen.reduce((sum, { type, amount }) => sum + (type === 'income' ? amount : -amount), 0);
    const sums = (await getItems(desks.map((id) => deskMoneyKey(tenant, id)))).map((item) =>
      DeskMoney.parse(item),
    );
    for (const [index, id] of desks.entries()) {
      expect(sums[index]?.cash_uzs).toBe(sumOf(postings.filter(({ cashbox_id }) => cashbox_id === id)));
    }
    const onHold = (await wholePartition(partition(collections.type, tenant)))
      .map((item) => parseStored(collections.schema, item))
      .filter(({ status }) => status === 'on_hold')
      .reduce((sum, { items }) => sum + (items[0]?.amount ?? 0), 0);
    expect(sums.reduce((sum, money) => sum + (money.on_hold?.cash_uzs ?? 0), 0)).toBe(onHold);
    const inDesks = sums.reduce((sum, { cash_uzs }) => sum + cash_uzs, 0);
    expect(inDesks + onHold).toBe(sumOf(postings.filter(({ source_type }) => source_type === 'reason')));
    expect((await readBooks(companyId)).violations).toEqual([]);
  });
  await fc.assert(property, { numRuns: 5 });
});
