import type { Staff } from '#lib/auth/actor.ts';
import { changeDueDate, DueDateInput } from '#lib/clients/debt/due-date.ts';
import { addOpeningDebt, OpeningDebtInput } from '#lib/clients/debt/opening.ts';
import { debts, remainderOf } from '#lib/clients/debt/record.ts';
import { DebtWriteOffInput, reverseWriteOff, writeOff } from '#lib/clients/debt/write-off.ts';
import { debtWriteOffs } from '#lib/clients/debt/write-off-record.ts';
import { deposits } from '#lib/clients/deposit/record.ts';
import { adjust, SupplierAdjustmentInput } from '#lib/stock/supplier/adjustment.ts';
import { supplierOperations } from '#lib/stock/supplier/operation.ts';
import { pay, SupplierPaymentInput } from '#lib/stock/supplier/payment.ts';
import { reverseOperation } from '#lib/stock/supplier/reverse.ts';
import type { Write } from '#lib/table/change/write.ts';
import { sell } from '#lib/trade/checkout/sell.ts';
import { payDebts } from '#lib/trade/debt-payment/pay.ts';
import { DebtPaymentInput, debtPayments } from '#lib/trade/debt-payment/record.ts';
import { refund } from '#lib/trade/debt-payment/refund.ts';
import { ClientDepositInput, DepositCorrectionInput } from '#lib/trade/deposit/input.ts';
import { correctDeposit, moveDeposit } from '#lib/trade/deposit/move.ts';
import { reverseDeposit } from '#lib/trade/deposit/reverse.ts';
import { holds } from '#lib/trade/hold/record.ts';
import { ReturnInput } from '#lib/trade/return/decide-return.ts';
import { returnGoods } from '#lib/trade/return/return.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { inCash } from '#tests/support/foreign.ts';
import { type Day, documentsOf } from './day.ts';
import { chosen, clientOf, deskOf, goodsOf, type How, type Makings, stockOf, totalAsked } from './step.ts';

const at = () => Date.now();

const comment = 'Ошибка';

/** Steps with deposits and debts of clients, and with debts to the supplier. Part 5, 5A.6, 5A.7 and 5A.3. */
export const ACCOUNT_STEPS = {
  depositIncome: async (day, actor, how) => {
    const money = { type: 'income', cashbox_id: deskOf(day, how), payment_type: 'cash', currency: 'uzs' };
    const input = ClientDepositInput.parse({ ...money, amount: how.pieces * 2500.25 });
    return (saveResponse) => moveDeposit(actor, { ...input, ...clientOf(day, how) }, at(), saveResponse);
  },
  depositForHold: async (day, actor, how) => {
    const held = await documentsOf(day.tenant, holds);
    const hold = chosen(held, how, ({ status, client_id }) => status === 'in_progress' && client_id !== null);
    if (!hold || typeof hold.client_id !== 'number') return undefined;
    const money = { type: 'income', cashbox_id: deskOf(day, how), payment_type: 'cash', currency: 'uzs' };
    const input = ClientDepositInput.parse({ ...money, hold_id: hold.id, amount: how.pieces * 250.25 });
    const { client_id } = hold;
    return (saveResponse) => moveDeposit(actor, { ...input, client_id }, at(), saveResponse);
  },
  depositOutcome: async (day, actor, how) => {
    const money = { type: 'outcome', cashbox_id: deskOf(day, how), payment_type: 'cash', currency: 'uzs' };
    const input = ClientDepositInput.parse({ ...money, amount: how.pieces * 500.5 });
    return (saveResponse) => moveDeposit(actor, { ...input, ...clientOf(day, how) }, at(), saveResponse);
  },
  depositCorrection: async (day, actor, how) => {
    const amount = how.pieces * (how.pick % 3 ? 10.25 : -100.25);
    const input = DepositCorrectionInput.parse({ currency: 'uzs', amount, comment });
    return (saveResponse) => correctDeposit(actor, { ...input, ...clientOf(day, how) }, at(), saveResponse);
  },
  depositReverse: async (day, actor, how) => {
    const entry = chosen(await documentsOf(day.tenant, deposits), how, ({ reversal_id, type }) => {
      return reversal_id === null && ['income', 'outcome', 'correction'].includes(type);
    });
    return entry && ((saveResponse) => reverseDeposit(actor, { id: entry.id, comment }, at(), saveResponse));
  },
  depositSale: (day, actor, how) => {
    const products = goodsOf(day, how).map(({ product_id, quantity: sold_quantity }) => {
      return { product_id, sold_quantity };
    });
    return sellFromDeposit(day, actor, how, { products });
  },
  depositBack: (day, actor, how) => giveToDeposit(day, actor, how),
  openingDebt: async (day, actor, how) => {
    const owed = { ...clientOf(day, how), currency: 'uzs', amount: how.pieces * 1000.25 };
    const input = OpeningDebtInput.parse({ ...owed, due_date: '2026-01-31', comment });
    return (saveResponse) => addOpeningDebt(actor, input, at(), saveResponse);
  },
  dueDate: async (day, actor, how) => {
    const debt = await openDebt(day, how);
    const input = DueDateInput.parse({ due_date: how.pick % 2 ? '2098-01-31' : '2099-02-28' });
    return debt && ((saveResponse) => changeDueDate(actor, { id: debt.id, ...input }, at(), saveResponse));
  },
  debtWriteOff: async (day, actor, how) => {
    const debt = await openDebt(day, how);
    const input = DebtWriteOffInput.parse({ comment, ...(how.pick % 3 && { amount: how.pieces / 4 }) });
    return debt && ((saveResponse) => writeOff(actor, { id: debt.id, ...input }, at(), saveResponse));
  },
  debtWriteOffReverse: async (day, actor, how) => {
    const made = chosen(await documentsOf(day.tenant, debtWriteOffs), how, isReversible);
    return made && ((saveResponse) => reverseWriteOff(actor, { id: made.id, comment }, at(), saveResponse));
  },
  debtPayment: async (day, actor, how) => {
    const payment_type = how.pick % 3 ? 'cash' : 'deposit';
    const payments = [{ payment_type, amount: how.pieces * 250.25 }];
    const place = { ...clientOf(day, how), cashbox_id: deskOf(day, how) };
    const input = DebtPaymentInput.parse({ ...place, currency: 'uzs', payments });
    return (saveResponse) => payDebts(actor, input, at(), saveResponse);
  },
  debtRefund: async (day, actor, how) => {
    // Only a client's newest payments can be refunded.
    const made = (await documentsOf(day.tenant, debtPayments))
      .filter(({ client_id }) => client_id === clientOf(day, how).client_id)
      .findLast(({ is_refunded }) => !is_refunded);
    return made && ((saveResponse) => refund(actor, made.id, at(), saveResponse));
  },
  supplierPayment: async (day, actor, how) => {
    const type = how.pick % 3 ? 'outcome' : 'income';
    const money = { type, cashbox_id: deskOf(day, how), payment_type: 'cash', currency: 'uzs' };
    const input = SupplierPaymentInput.parse({ ...money, amount: how.pieces * 99.75 });
    return (saveResponse) => pay(actor, { ...input, supplier_id: day.supplierId }, at(), saveResponse);
  },
  supplierAdjustment: async (day, actor, how) => {
    const type = how.pick % 2 ? 'opening' : 'correction';
    const sum = { currency: 'uzs', amount: how.pieces * (how.pick % 3 ? 100.25 : -0.25), comment };
    const input = SupplierAdjustmentInput.parse({ type, ...sum });
    return (saveResponse) => adjust(actor, { ...input, supplier_id: day.supplierId }, at(), saveResponse);
  },
  supplierReverse: async (day, actor, how) => {
    const of = ['payment', 'opening', 'correction'];
    const all = await documentsOf(day.tenant, supplierOperations);
    const made = chosen(all, how, (each) => isReversible(each) && of.includes(each.type));
    const params = made && { model: day.supplierId, operation: made.id };
    return params && ((saveResponse) => reverseOperation(actor, params, { comment, at: at(), saveResponse }));
  },
} satisfies Makings;

async function openDebt({ tenant }: Day, how: How) {
  return chosen(await documentsOf(tenant, debts), how, (debt) => remainderOf(debt) > 0);
}

function isReversible(made: { readonly reversal_id: number | null; readonly reversal_of_id: number | null }) {
  return made.reversal_id === null && made.reversal_of_id === null;
}

/** Sells to a client, who pays a half from the deposit. */
async function sellFromDeposit(day: Day, actor: Staff, how: How, goods: object) {
  const give = (transactions: object[], saveResponse: () => Write[]) => {
    const place = { cashbox_id: deskOf(day, how), stock_id: stockOf(day, how), currency: 'uzs' };
    const body = { ...place, ...goods, ...clientOf(day, how), transactions };
    return sell(actor, SaleInput.parse(body), at(), { saveResponse });
  };
  const { total } = await totalAsked((guess) => give(guess, () => []));
  const spent = Math.floor(total * 50) / 100;
  const payments = [
    { payment_type: 'deposit', amount: spent },
    inCash(Math.round((total - spent) * 100) / 100),
  ];
  return (saveResponse: () => Write[]) => give(payments, saveResponse);
}

/** Takes all of a client's sale back that is left, and puts its money into the deposit. */
async function giveToDeposit(day: Day, actor: Staff, how: How) {
  const all = await documentsOf(day.tenant, sales);
  const sale = chosen(all, how, ({ client_id, status, transactions }) => {
    const isFromDeposit = transactions.some(({ payment_type }) => payment_type === 'deposit');
    return client_id !== null && status !== 'full_returned' && (isFromDeposit || how.pick % 3 === 0);
  });
  if (!sale) return undefined;
  const give = (transactions: object[], saveResponse: () => Write[]) =>
    returnGoods(actor, { id: sale.id, ...ReturnInput.parse({ transactions }) }, at(), saveResponse);
  const { total } = await totalAsked((guess) => give(guess, () => []));
  const payouts = total > 0 ? [{ payment_type: 'deposit', amount: total }] : [];
  return (saveResponse: () => Write[]) => give(payouts, saveResponse);
}
