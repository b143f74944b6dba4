import { type Maker, makerOf, type Staff } from '#lib/auth/actor.ts';
import { addToShift } from '#lib/cash/desk/movement.ts';
import { atDesk, type DeskState, deskIn, deskKeys, requireShift } from '#lib/cash/desk/read.ts';
import { postOrRefuse, writesAt } from '#lib/cash/posting/make.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { canChangeDeposit, canOwe, type Repayment, repaymentWrite } from '#lib/clients/balance-change.ts';
import { ClientBalances, clientBalancesKey } from '#lib/clients/client-balances.ts';
import { debtAfter, debtWrites } from '#lib/clients/debt/change.ts';
import { debtAt, debts, type StoredDebt } from '#lib/clients/debt/record.ts';
import { deposits, entryWrite, newEntry } from '#lib/clients/deposit/record.ts';
import { documentReplacement, getDocumentToChange } from '#lib/records/documents.ts';
import { BALANCE_TOO_LARGE } from '#lib/records/links/counters.ts';
import { parseRecord, type Stored } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { saleRemainder } from '#lib/trade/return/purse.ts';
import { Sale, sales } from '#lib/trade/sale/record.ts';
import { requireSameSale } from '#lib/trade/sale/write.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { PaymentType } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { type DebtPayment, debtPayments, isRefundable } from './record.ts';

/**
 * Refunds a debt payment: the money leaves the desk that received it, or goes back to the client's deposit,
 * and the debt is restored. 404 without the payment; 400 if it cannot be refunded, if the desk is gone or has
 * too little, or if the sale no longer has the money. Part 3, "Debt payments"; Contract 9.53; Part 5, 5A.6,
 * 3. Three round trips besides the caller's.
 */
export async function refund(
  actor: Staff,
  id: number,
  at: Instant,
  saveResponse: (payment: DebtPayment) => Write[],
): Promise<DebtPayment> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const payment = await getDocumentToChange(debtPayments, actor, id);
    const { client_id, currency, amount } = payment;
    const deposit = payment.payment_type === 'deposit' ? amount : 0;
    const [firstId, { desk, sums, debt }] = await Promise.all([
      nextId(deposit === 0 ? POSTING : deposits.type, tenant),
      readRefunded(actor, payment),
    ]);
    if (!isRefundable(payment, sums.debt_paid_at)) throw badRequest('debt_payment.not_refundable');
    if (desk?.company_id !== payment.company_id) throw badRequest('debt_payment.cashbox_gone');
    await requireShift(actor, desk);
    requireRoom(sums, { debt: amount, deposit, currency });
    const owed = debtAfter(debt, { repaid: -amount, byDeposit: -deposit }, at);
    const ownMoney = await requireOwnMoney(tenant, owed);

    const { outcome, entry } = moneyBack(payment, { desk, sums, maker: makerOf(actor), firstId, at });
    const [posting] = outcome.postings;
    const after = { ...payment, is_refunded: true, refund_transfer_id: posting?.id ?? null };
    const response = { ...after, is_refundable: false, debt: debtAt(owed, at) };
    await transact([
      ...documentReplacement(debtPayments, tenant, payment, after),
      ...debtWrites(tenant, debt, owed),
      repaymentWrite({ tenant, id: client_id }, sums, { debt: amount, deposit, currency }),
      ...(entry ? [entryWrite(tenant, entry)] : []),
      ...writesAt(tenant, outcome),
      ...ownMoney,
      ...saveResponse(response),
    ]);
    return response;
  });
}

/** Requires that the client can owe the debt again, and that the deposit can grow. 400 otherwise. */
function requireRoom(sums: ClientBalances, change: Required<Omit<Repayment, 'paidAt'>>): void {
  if (!canOwe(sums, change)) throw badRequest('debt_payment.client_gone');
  if (!canChangeDeposit(sums, change)) throw badRequest(BALANCE_TOO_LARGE.key, BALANCE_TOO_LARGE.with);
}

/** Circumstances of a refund, with the id of its posting or entry. */
interface RefundOccasion {
  readonly desk: DeskState;
  readonly sums: ClientBalances;
  readonly maker: Maker;
  readonly firstId: number;
  readonly at: Instant;
}

/** Gives a payment back: as an outcome of the desk, or as an entry of the client's deposit. */
function moneyBack(
  { id: source_id, client_id, payment_type, currency, amount }: Stored<typeof debtPayments.schema>,
  { desk, sums, maker, firstId, at }: RefundOccasion,
) {
  const method = PaymentType.safeParse(payment_type).data;
  const returned = method ? 0 : amount;
  const money = addToShift(desk.money, { debt: { currency, refunded: amount, returned } });
  const source = { source_type: 'debt_payment', source_id, comment: null } as const;
  const moves = method ? [{ type: 'outcome', payment_type: method, currency, amount } as const] : [];
  const outcome = postOrRefuse({ ...desk, money }, moves, { ...maker, ...source, at, firstId });
  if (method) return { outcome, entry: undefined };
  const made = { id: firstId, type: 'debt_payment', source_id, ...maker, created_at: at } as const;
  return { outcome, entry: newEntry(sums, { ...made, ...atDesk(desk), client_id, currency, amount }) };
}

/** Reads the desk, the client's balances and the debt of a payment. One round trip. */
async function readRefunded(
  actor: Staff,
  { client_id, cashbox_id, debt_id }: Stored<typeof debtPayments.schema>,
) {
  const { tenant } = actor;
  const [deskItem, money, sums, debt] = await getItems([
    ...deskKeys(actor, cashbox_id),
    clientBalancesKey(tenant, client_id),
    recordKey(debts.type, tenant, debt_id),
  ]);
  return {
    desk: deskIn(actor, [deskItem, money]),
    sums: ClientBalances.parse(sums),
    debt: parseRecord(debts.schema, debt),
  };
}

/**
 * Requires that a debt's sale has received, without the refunded payment, at least the amount paid out by
 * returns and passed on by exchanges. 400 otherwise. Returns the check that the sale stays unchanged; none
 * for an opening debt, which has no sale. Contract 8.
 */
async function requireOwnMoney(tenant: Tenant, debt: StoredDebt): Promise<Write[]> {
  if (debt.sale_id === null) return [];
  const sale = parseRecord(Sale, await getItem(recordKey(sales.type, tenant, debt.sale_id)));
  if (saleRemainder(sale, debt).money < 0) throw badRequest('debt_payment.paid_out');
  return [requireSameSale(tenant, sale)];
}
