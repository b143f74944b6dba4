import { afterAll, expect, test } from 'vitest';
import { readBooks } from '#bin/verify/family.ts';
import { DeskMoney, deskMoneyKey } from '#lib/cash/desk/money.ts';
import { deskPostings } from '#lib/cash/posting/record.ts';
import { getItem } from '#lib/table/read/get.ts';
import { closeShift } from '#lib/trade/shift/close.ts';
import { ExpenseInput, payExpense } from '#lib/trade/shift/expense.ts';
import { openShift } from '#lib/trade/shift/open.ts';
import { ClosingInput, OpeningInput, shifts } from '#lib/trade/shift/record.ts';
import { documentsOf } from '#tests/journeys/random-day/day.ts';
import { testMovements } from '#tests/support/disrupted.ts';
import { directorAs } from '#tests/support/family.ts';
import { newTill } from '#tests/support/operations.ts';
import { type AnswerWrites, nothing } from '#tests/support/save-response.ts';
import { enableShifts } from '#tests/support/shifts.ts';
import { behindProxy } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const AT = Date.now();
const TOLD = { at: AT, locale: 'ru' } as const;
const CASH = { payment_type: 'cash', currency: 'uzs' };

const till = await newTill(100_000);
await enableShifts(till);
const { cashboxId: cashbox_id, stockId: stock_id, companyId } = till;
const actor = directorAs(till.directorId, companyId);
const { tenant } = actor;

/** Opens a shift with ten sums of change. */
function open(saveResponse: AnswerWrites = nothing) {
  const opening_balances = [{ ...CASH, amount: 10 }];
  const input = OpeningInput.parse({ cashbox_id, stock_id, opening_balances });
  return openShift(actor, input, TOLD, saveResponse);
}

/** Closes a shift one sum short, and transfers twenty to the main desk. */
async function close(id: number, saveResponse: AnswerWrites = nothing) {
  const cash = await cashIn();
  const leave_amounts = [{ currency: 'uzs', amount: cash - 21 }];
  const actuals = [{ ...CASH, amount: cash - 1 }];
  const given = { closing_action: 'transfer_part', leave_amounts, actuals, closing_comment: 'Нет' };
  return closeShift(actor, { id, ...ClosingInput.parse(given) }, TOLD, saveResponse);
}

async function deskNow() {
  return DeskMoney.parse(await getItem(deskMoneyKey(tenant, cashbox_id)));
}

async function cashIn(): Promise<number> {
  return (await deskNow()).cash_uzs / 100;
}

/** Closes a shift left open by an operation, if any, without a difference. */
async function endOpen(): Promise<void> {
  const { shift } = await deskNow();
  const input = ClosingInput.parse({ closing_action: 'keep' });
  if (shift) await closeShift(actor, { id: shift.id, ...input }, TOLD, nothing);
}

/**
 * Returns the desk's money, its money in transit, and the number of shifts and postings, once all is closed.
 */
async function standing(): Promise<number[]> {
  await endOpen();
  const [desk, all, postings] = await Promise.all([
    deskNow(),
    documentsOf(tenant, shifts),
    documentsOf(tenant, deskPostings),
  ]);
  expect(all.every(({ status }) => status === 'closed')).toBe(true);
  return [desk.cash_uzs / 100, (desk.on_hold?.cash_uzs ?? 0) / 100, all.length, postings.length];
}

/** Operations, each with the change of `standing` made by every execution once its shift is closed. */
const operations = {
  'an opening': {
    prepare: async () => 0,
    run: (_: number, saveResponse: AnswerWrites) => open(saveResponse),
    change: [10, 0, 1, 1],
  },
  'an expense': {
    prepare: async () => (await open()).id,
    run: (id: number, saveResponse: AnswerWrites) => {
      const input = ExpenseInput.parse({ ...CASH, amount: 3, reason_id: till.outcome });
      return payExpense(actor, { id, ...input }, AT, saveResponse);
    },
    change: [7, 0, 1, 2],
  },
  'a close with a shortage and a collection': {
    prepare: async () => (await open()).id,
    run: close,
    change: [10 - 1 - 20, 20, 1, 3],
  },
};

testMovements(proxy, operations, standing, 3);

test('after all that the books add up', async () => {
  expect((await readBooks(companyId)).violations).toEqual([]);
});
