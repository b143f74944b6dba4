import { afterAll, expect, test } from 'vitest';
import { readBooks } from '#bin/verify/family.ts';
import { CollectionInput, collect } from '#lib/cash/collection/collect.ts';
import { CountedInput, confirm } from '#lib/cash/collection/end.ts';
import { DeskMoney, deskMoneyKey } from '#lib/cash/desk/money.ts';
import { moveByReason, OperationInput } from '#lib/cash/operation/by-reason.ts';
import { cancelOperation, reverse } from '#lib/cash/operation/cancel.ts';
import { ConversionInput, convert, MoveInput, moveBetween } from '#lib/cash/operation/move.ts';
import { moveTender, TenderInput } from '#lib/cash/operation/tender.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { testMovements } from '#tests/support/disrupted.ts';
import { directorAs } from '#tests/support/family.ts';
import { newTill } from '#tests/support/operations.ts';
import { type AnswerWrites, nothing } from '#tests/support/save-response.ts';
import { behindProxy } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const AT = Date.now();

const till = await newTill(100_000);
const { cashboxId: cashbox_id, mainId } = till;
const actor = directorAs(till.directorId, till.companyId);
const CASH = { payment_type: 'cash', currency: 'uzs' };

function spend(amount: number, saveResponse: AnswerWrites = nothing) {
  const money = { cashbox_id, type: 'outcome', ...CASH, amount, reason_id: till.outcome };
  return moveByReason(actor, OperationInput.parse(money), AT, saveResponse);
}

function collectSums(amount: number, saveResponse: AnswerWrites = nothing) {
  const items = [{ ...CASH, amount }];
  return collect(actor, CollectionInput.parse({ cashbox_id, items }), AT, saveResponse);
}

function cancelBy(id: number, saveResponse: AnswerWrites) {
  return cancelOperation(actor, { id, cancel_comment: 'Ошибка' }, AT, saveResponse);
}

/** Reads the sale desk's sums and dollars, its sums on hold, and the main desk's balance. */
async function standing() {
  const tenant = familyTenant(till.companyId);
  const keys = [cashbox_id, mainId].map((id) => deskMoneyKey(tenant, id));
  const [desk, main] = (await getItems(keys)).map((item) => DeskMoney.parse(item));
  const onHold = desk?.on_hold?.cash_uzs ?? 0;
  return [desk?.cash_uzs ?? 0, desk?.cash_usd ?? 0, onHold, main?.cash_uzs ?? 0].map((cents) => cents / 100);
}

/** Operations, each with the change of `standing` made by every execution. */
const operations = {
  'an expense': {
    prepare: async () => 0,
    run: (_: number, saveResponse: AnswerWrites) => spend(1, saveResponse),
    change: [-1, 0, 0, 0],
  },
  'a return': {
    prepare: async () => (await spend(2)).id,
    run: (id: number, saveResponse: AnswerWrites) => reverse(actor, id, AT, saveResponse),
    change: [0, 0, 0, 0],
  },
  'a cancel': {
    prepare: async () => (await spend(2)).id,
    run: cancelBy,
    change: [0, 0, 0, 0],
  },
  'a conversion': {
    prepare: async () => 0,
    run: (_: number, saveResponse: AnswerWrites) => {
      const kinds = { from_currency: 'uzs', from_amount: 10, to_currency: 'usd', to_amount: 1 };
      const input = ConversionInput.parse({ cashbox_id, payment_type: 'cash', ...kinds });
      return convert(actor, input, AT, saveResponse);
    },
    change: [-10, 1, 0, 0],
  },
  'a move to another payment type with a fee': {
    prepare: async () => 0,
    run: (_: number, saveResponse: AnswerWrites) => {
      const types = { from_payment_type: 'cash', to_payment_type: 'bank' };
      const fee = { amount: 1, reason_id: till.outcome };
      const input = TenderInput.parse({ cashbox_id, currency: 'uzs', ...types, amount: 5, fee });
      return moveTender(actor, input, AT, saveResponse);
    },
    change: [-5, 0, 0, 0],
  },
  'a move to another desk': {
    prepare: async () => 0,
    run: (_: number, saveResponse: AnswerWrites) => {
      const input = MoveInput.parse({
        from_cashbox_id: cashbox_id,
        to_cashbox_id: mainId,
        ...CASH,
        amount: 3,
      });
      return moveBetween(actor, input, AT, saveResponse);
    },
    change: [-3, 0, 0, 3],
  },
  'a collection': {
    prepare: async () => 0,
    run: (_: number, saveResponse: AnswerWrites) => collectSums(4, saveResponse),
    change: [-4, 0, 4, 0],
  },
  'a confirmation': {
    prepare: async () => (await collectSums(5)).id,
    run: (id: number, saveResponse: AnswerWrites) =>
      confirm(actor, { id, items: [], comment: null }, AT, saveResponse),
    change: [-5, 0, 0, 5],
  },
  'a confirmation of less than was sent': {
    prepare: async () => (await collectSums(5)).id,
    run: (id: number, saveResponse: AnswerWrites) => {
      const counted = CountedInput.parse({ items: [{ ...CASH, amount: 2 }], comment: 'Недостача' });
      return confirm(actor, { id, ...counted }, AT, saveResponse);
    },
    change: [-5, 0, 0, 2],
  },
  'a cancel of a collection': {
    prepare: async () => (await collectSums(6)).transactions_data?.[0]?.id ?? 0,
    run: cancelBy,
    change: [0, 0, 0, 0],
  },
};

testMovements(proxy, operations, standing, 3);

test('after all that the books add up', async () => {
  expect((await readBooks(till.companyId)).violations).toEqual([]);
});
