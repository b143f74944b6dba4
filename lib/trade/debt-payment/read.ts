import type { Staff } from '#lib/auth/actor.ts';
import { ratesOf } from '#lib/cash/company-rates.ts';
import { deskEmbed } from '#lib/cash/desk/desk.ts';
import { clientEmbed, withBonuses } from '#lib/clients/client.ts';
import { clientBalancesEmbed } from '#lib/clients/client-balances.ts';
import { debtAt, debtEmbed } from '#lib/clients/debt/record.ts';
import { familyEmbeds } from '#lib/people/family-record.ts';
import { getDocument, listDocuments } from '#lib/records/documents.ts';
import type { Embed } from '#lib/records/query/embeds.ts';
import { documentQuery, embedQuery, type ListQuery } from '#lib/records/query/list-query.ts';
import { amountsIn } from '#lib/records/query/totals.ts';
import { oneOf } from '#lib/table/expression.ts';
import { Currency } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { type DebtPayment, debtPayments, isRefundable, StoredDebtPayment } from './record.ts';

const embeds = { ...familyEmbeds, client: clientEmbed, debt: debtEmbed, cashbox: deskEmbed };

/** Query string of the list. */
export const DebtPaymentList = documentQuery(debtPayments.filters, {
  sorts: ['id', 'created_at'],
  totals: amountsIn(StoredDebtPayment),
  embeds,
});

/** Query string of a single payment. */
export const DebtPaymentEmbeds = embedQuery({ embeds });

/** Lists the payments of the companies open to the caller. */
export async function list(actor: Staff, query: ListQuery, at: Instant) {
  const [page, saleCurrency] = await Promise.all([
    listDocuments(debtPayments, actor, {
      ...query,
      embeds: [...query.embeds, clientBalancesEmbed(actor.tenant)],
    }),
    currencyFor(actor, query.embeds),
  ]);
  return { ...page, rows: page.rows.map((payment) => paymentAt(payment, saleCurrency, at)) };
}

/** Reads a payment with the requested embeds. */
export async function get(actor: Staff, id: number, requestedEmbeds: readonly Embed[], at: Instant) {
  const [payment, saleCurrency] = await Promise.all([
    getDocument(debtPayments, actor, id, [...requestedEmbeds, clientBalancesEmbed(actor.tenant)]),
    currencyFor(actor, requestedEmbeds),
  ]);
  return paymentAt(payment, saleCurrency, at);
}

/** Reads the payments of an earlier call, as in its response. */
export async function readPayments(actor: Staff, ids: readonly number[], at: Instant) {
  const sort = { field: 'id', descending: false };
  const query = { where: [oneOf('id', ids)], embeds: [debtEmbed], sort, page: 1, pageSize: ids.length };
  return { data: (await list(actor, query, at)).rows };
}

/** Reads the currency of an embedded client's bonuses, if clients are requested. */
async function currencyFor(
  { tenant, companyId }: Staff,
  requestedEmbeds: readonly Embed[],
): Promise<Currency> {
  if (!requestedEmbeds.includes(clientEmbed)) return Currency.enum.uzs;
  return (await ratesOf(tenant, companyId)).saleCurrency;
}

function paymentAt(
  { sums, debt, client, ...payment }: StoredDebtPayment,
  saleCurrency: Currency,
  at: Instant,
): DebtPayment {
  return {
    ...payment,
    is_refundable: isRefundable(payment, sums?.debt_paid_at),
    ...(debt !== undefined && { debt: debt && debtAt(debt, at) }),
    ...(client !== undefined && {
      client: client && sums ? withBonuses({ ...client, sums }, saleCurrency, at) : client,
    }),
  };
}
