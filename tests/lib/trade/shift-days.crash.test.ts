import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Staff } from '#lib/auth/actor.ts';
import { moveByReason, OperationInput } from '#lib/cash/operation/by-reason.ts';
import { cancelOperation, reverse } from '#lib/cash/operation/cancel.ts';
import { MoveInput, moveBetween } from '#lib/cash/operation/move.ts';
import { deskPostings } from '#lib/cash/posting/record.ts';
import { sell } from '#lib/trade/checkout/sell.ts';
import { payDebts } from '#lib/trade/debt-payment/pay.ts';
import { DebtPaymentInput } from '#lib/trade/debt-payment/record.ts';
import { refund } from '#lib/trade/debt-payment/refund.ts';
import { ReturnInput } from '#lib/trade/return/decide-return.ts';
import { returnGoods } from '#lib/trade/return/return.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { closeShift } from '#lib/trade/shift/close.ts';
import { openShift } from '#lib/trade/shift/open.ts';
import { ClosingInput, OpeningInput, shifts } from '#lib/trade/shift/record.ts';
import { ApiError } from '#lib/values/api-error.ts';
import { splitEvery } from '#lib/values/concurrency.ts';
import { documentsOf } from '#tests/journeys/random-day/day.ts';
import { faultsOf } from '#tests/support/books.ts';
import { addClient } from '#tests/support/clients.ts';
import { directorAs } from '#tests/support/family.ts';
import { newTill } from '#tests/support/operations.ts';
import { make } from '#tests/support/records.ts';
import { nothing } from '#tests/support/save-response.ts';
import { enableShifts } from '#tests/support/shifts.ts';
import { newGoods } from '#tests/support/shop.ts';
import { insertUser } from '#tests/support/users.ts';

const BEGIN = Date.now();
/** Pause between groups of concurrent operations: long enough to identify the shift of most. */
const APART_MS = 10 * 60_000;
const CASH = { payment_type: 'cash', currency: 'uzs' };
const PRICE = 100;

/** Operations at the desks: `who` works at the desk `which`, or on the document with that number. */
const step = fc.record({
  name: fc.constantFrom(
    ...(['open', 'open', 'close', 'close', 'sale', 'sale', 'sale', 'return'] as const),
    ...(['income', 'outcome', 'move', 'reverse', 'cancel'] as const),
    ...(['lend', 'lend', 'takeBack', 'repay', 'refund'] as const),
  ),
  who: fc.nat(2),
  which: fc.nat(20),
  amount: fc.integer({ min: 1, max: 60 }),
});

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Creates a family with two sale desks and three people, which works with shifts. */
async function newDay() {
  const till = await newTill();
  const { companyId, stockId: stock_id, cashboxId, token } = till;
  const client_id = await addClient(till);
  const product = await newGoods(till, [{ quantity: 1000, cost: 1 }], { sale_price: PRICE });
  const second = await make('/company/cashbox/cashbox', token, { name: 'Desk 2', type: 'sale' });
  await enableShifts(till);
  const place = { type: 'director', company_id: companyId, family_id: companyId } as const;
  const users = await Promise.all([insertUser(place), insertUser(place)]);
  const actors = [till.directorId, ...users.map(({ id }) => id)].map((id) => directorAs(id, companyId));
  const desks = [cashboxId, second];
  const [first] = actors;
  if (!first) throw new Error('Nobody works');
  const { tenant } = first;
  let sold = 0;
  let returned = 0;

  const closeOne = async (
    actor: Staff,
    { which, amount, at }: Pick<Step, 'which' | 'amount'> & { at: number },
  ) => {
    const open = (await documentsOf(tenant, shifts)).filter(({ status }) => status === 'open');
    const shift = open[which % open.length];
    if (shift) await closeShift(actor, { id: shift.id, ...endingOf(which, amount) }, toldAt(at), nothing);
  };

  const run = async ({ name, who, which, amount }: Step, at: number): Promise<void> => {
    const actor = actors[who] ?? first;
    const cashbox_id = desks[which % 2] ?? cashboxId;
    const id = which + 1;
    switch (name) {
      case 'open': {
        const opening_balances = amount % 3 === 0 ? [] : [{ ...CASH, amount }];
        const input = OpeningInput.parse({ cashbox_id, stock_id, opening_balances });
        return void (await openShift(actor, input, toldAt(at), nothing));
      }
      case 'close':
        return closeOne(actor, { which, amount, at });
      case 'sale': {
        const products = [{ product_id: product, sold_quantity: 1 }];
        const paid = { transactions: [{ payment_type: amount % 2 ? 'cash' : 'card', amount: PRICE }] };
        const input = SaleInput.parse({ cashbox_id, stock_id, currency: 'uzs', products, ...paid });
        await sell(actor, input, at, { saveResponse: nothing });
        sold += 1;
        return;
      }
      case 'lend': {
        const products = [{ product_id: product, sold_quantity: 1 }];
        const transactions = [{ payment_type: 'debt', amount: PRICE }];
        const owed = { client_id, due_date: '2099-01-31', transactions };
        const input = SaleInput.parse({ cashbox_id, stock_id, currency: 'uzs', products, ...owed });
        await sell(actor, input, at, { saveResponse: nothing });
        sold += 1;
        return;
      }
      case 'repay': {
        const payments = [{ payment_type: 'cash', amount }];
        const input = DebtPaymentInput.parse({ client_id, cashbox_id, payments });
        return void (await payDebts(actor, input, at, nothing));
      }
      case 'refund':
        return void (await refund(actor, id, at, nothing));
      case 'return':
      case 'takeBack': {
        // Unpaid goods on debt are returned without a refund.
        const payouts = name === 'return' ? [{ payment_type: 'cash', amount: PRICE }] : [];
        const input = ReturnInput.parse({ transactions: payouts });
        await returnGoods(actor, { id, ...input }, at, nothing);
        returned += 1;
        return;
      }
      case 'income':
      case 'outcome': {
        const money = { cashbox_id, type: name, ...CASH, amount, reason_id: till[name] };
        return void (await moveByReason(actor, OperationInput.parse(money), at, nothing));
      }
      case 'move': {
        const sides = { from_cashbox_id: cashbox_id, to_cashbox_id: desks[(which + 1) % 2] };
        return void (await moveBetween(actor, MoveInput.parse({ ...sides, ...CASH, amount }), at, nothing));
      }
      case 'reverse':
        return void (await reverse(actor, id, at, nothing));
      case 'cancel':
        return cancelOperation(actor, { id, cancel_comment: 'Ошибка' }, at, nothing);
    }
  };
  return { companyId, tenant, run, counts: () => [sold, returned] };
}

function toldAt(at: number) {
  return { at, locale: 'ru' } as const;
}

/** Chooses any end of a shift: at times with a surplus, left or collected, all or in part. */
function endingOf(which: number, amount: number) {
  const closing_action = (['keep', 'transfer_all', 'transfer_part'] as const)[which % 3];
  const actuals = amount % 4 === 0 ? [{ payment_type: 'card', currency: 'usd', amount }] : [];
  return ClosingInput.parse({ closing_action, actuals, closing_comment: 'Пересчёт' });
}

test('whatever is done at once in shifts of several desks, they are what their postings come to', async () => {
  const days = fc.array(step, { minLength: 70, maxLength: 90 });
  let closedShifts = 0;
  const property = fc.asyncProperty(days, async (steps) => {
    const { companyId, tenant, run, counts } = await newDay();
    for (const [index, atOnce] of splitEvery(steps, 4).entries()) {
      const at = BEGIN + index * APART_MS;
      const done = await Promise.allSettled(atOnce.map((each) => run(each, at)));
      for (const each of done) if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(ApiError);
    }
    const ending = ClosingInput.parse({ closing_action: 'transfer_all' });
    for (const { id, status, creator_id } of await documentsOf(tenant, shifts)) {
      const actor = directorAs(creator_id, companyId);
      if (status === 'open')
        await closeShift(actor, { id, ...ending }, toldAt(BEGIN + steps.length * APART_MS), nothing);
    }
    expect(await faultsOf({ companyId })).toEqual([]);
    const closed = await documentsOf(tenant, shifts);
    closedShifts += closed.length;
    const told = [
      closed.reduce((sum, { summary }) => sum + (summary?.checks_count ?? 0), 0),
      closed.reduce((sum, { summary }) => sum + (summary?.returns_count ?? 0), 0),
    ];
    expect(told).toEqual(counts());
    const postings = await documentsOf(tenant, deskPostings);
    const outside = postings.filter(({ shift_id, cashbox_id }) => !shift_id && cashbox_id !== 1);
    expect(outside).toEqual([]);
  });
  await fc.assert(property, { numRuns: 4 });
  expect(closedShifts).toBeGreaterThan(6);
});
