import type { Staff } from '#lib/auth/actor.ts';
import { deskIn, deskKeys, requireShift } from '#lib/cash/desk/read.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { ClientBalances, clientBalancesKey } from '#lib/clients/client-balances.ts';
import { debts, type StoredDebt } from '#lib/clients/debt/record.ts';
import { deposits } from '#lib/clients/deposit/record.ts';
import { getDocumentToChange } from '#lib/records/documents.ts';
import { parseRecord, type Stored } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { Sale, sales } from '#lib/trade/sale/record.ts';
import type { Instant } from '#lib/values/time.ts';
import {
  decideRefund,
  type RefundFacts,
  refundWrites,
  requireRefundable,
  requireRoom,
} from './decide-refund.ts';
import { type DebtPayment, debtPayments } from './record.ts';

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
  return retryOnContention(async () => {
    const plan = decideRefund(actor, await readRefund(actor, id), at);
    await transact([...refundWrites(actor.tenant, plan), ...saveResponse(plan.response)]);
    return plan.response;
  });
}

/**
 * Reads a payment that can be refunded, its desk, client, debt and sale, and draws an id. 404 without the
 * payment; 400 as in `requireRefundable`, `requireShift` and `requireRoom`. Three round trips.
 */
async function readRefund(actor: Staff, id: number): Promise<RefundFacts> {
  const { tenant } = actor;
  const payment = await getDocumentToChange(debtPayments, actor, id);
  const [firstId, { desk: found, sums, debt }] = await Promise.all([
    nextId(payment.payment_type === 'deposit' ? deposits.type : POSTING, tenant),
    readParts(actor, payment),
  ]);
  const desk = requireRefundable(payment, { desk: found, sums });
  await requireShift(actor, desk);
  requireRoom(payment, sums);
  return { firstId, payment, desk, sums, debt, sale: await readSaleOf(tenant, debt) };
}

/** Reads the desk, the client's balances and the debt of a payment. One round trip. */
async function readParts(
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

/** Reads the sale of a debt; an opening debt has none. At most one round trip. */
async function readSaleOf(tenant: Tenant, { sale_id }: StoredDebt): Promise<Stored<typeof Sale> | undefined> {
  if (sale_id === null) return undefined;
  return parseRecord(Sale, await getItem(recordKey(sales.type, tenant, sale_id)));
}
