import { afterAll, expect, test } from 'vitest';
import { readBooks } from '#bin/verify/family.ts';
import { DeskMoney, deskMoneyKey } from '#lib/cash/desk/money.ts';
import { adjust, SupplierAdjustmentInput } from '#lib/stock/supplier/adjustment.ts';
import { pay, SupplierPaymentInput } from '#lib/stock/supplier/payment.ts';
import { reverseOperation } from '#lib/stock/supplier/reverse.ts';
import { supplierBalancesKey } from '#lib/stock/supplier/supplier.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { testMovements } from '#tests/support/disrupted.ts';
import { directorAs } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { newTill } from '#tests/support/operations.ts';
import { make } from '#tests/support/records.ts';
import { type AnswerWrites, nothing } from '#tests/support/save-response.ts';
import { behindProxy } from '#tests/support/table-faults.ts';
import { SUPPLIERS } from '#tests/support/write-offs.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const AT = Date.now();

const { token, companyId, directorId, cashboxId: cashbox_id } = await newTill(100_000);
const actor = directorAs(directorId, companyId);
const supplier_id = await make(SUPPLIERS, token, { name: 'Ферма' });

function payBy(type: 'income' | 'outcome', saveResponse: AnswerWrites = nothing) {
  const money = { cashbox_id, type, payment_type: 'cash', currency: 'uzs', amount: 3 };
  return pay(actor, { ...SupplierPaymentInput.parse(money), supplier_id }, AT, saveResponse);
}

function adjustBy(currency: string, type: string, saveResponse: AnswerWrites = nothing) {
  const input = SupplierAdjustmentInput.parse({ type, currency, amount: 7, comment: 'Акт' });
  return adjust(actor, { ...input, supplier_id }, AT, saveResponse);
}

function reverseBy(operation: number, saveResponse: AnswerWrites = nothing) {
  const call = { comment: 'Ошибка', at: AT, saveResponse };
  return reverseOperation(actor, { model: supplier_id, operation }, call);
}

/** Makes a payment, and returns the id of its operation. */
async function paidBy(type: 'income' | 'outcome'): Promise<number> {
  await payBy(type);
  const newest = await call(`GET ${SUPPLIERS}/${supplier_id}/operations?sort[]=-id`, { token });
  return newest.number('data.0.id');
}

/** Reads the desk's sums, and the payable in sums and in dollars. */
async function standing() {
  const tenant = familyTenant(companyId);
  const keys = [deskMoneyKey(tenant, cashbox_id), supplierBalancesKey(tenant, supplier_id)];
  const [desk, owed] = await getItems(keys);
  const cents = [DeskMoney.parse(desk).cash_uzs, Number(owed?.['uzs']), Number(owed?.['usd'])];
  return cents.map((sum) => sum / 100);
}

/** Operations, each with the change of `standing` made by every execution. */
const operations = {
  'an income': {
    prepare: async () => 0,
    run: (_: number, saveResponse: AnswerWrites) => payBy('income', saveResponse),
    change: [3, 3, 0],
  },
  'a correction': {
    prepare: async () => 0,
    run: (_: number, saveResponse: AnswerWrites) => adjustBy('usd', 'correction', saveResponse),
    change: [0, 0, 7],
  },
  'a reversal of a payment': {
    prepare: () => paidBy('outcome'),
    run: reverseBy,
    change: [0, 0, 0],
  },
  'a reversal of an income': {
    prepare: () => paidBy('income'),
    run: reverseBy,
    change: [0, 0, 0],
  },
  'a reversal of an opening': {
    prepare: async () => (await adjustBy('uzs', 'opening')).id,
    run: reverseBy,
    change: [0, 0, 0],
  },
};

testMovements(proxy, operations, standing, 3);

test('after all that the books add up (Part 5, 5.0 (6))', async () => {
  expect((await readBooks(companyId)).violations).toEqual([]);
});
