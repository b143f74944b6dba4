import { bonusTakenBack, type Earning } from '#lib/clients/bonuses.ts';
import { bonusesIn, type Charge, chargeWrites } from '#lib/clients/client-sums.ts';
import { closingWrites } from '#lib/clients/debt/change.ts';
import { documentReplacement } from '#lib/records/documents.ts';
import { lineWrites } from '#lib/records/lines.ts';
import type { Home } from '#lib/table/keys.ts';
import type { Write } from '#lib/table/transaction/write.ts';
import { type Sale, sales } from '#lib/trade/sale/record.ts';
import { returnWrites, type SaleReturn } from '#lib/trade/sale/returns-of.ts';
import { type Cents, totalAmount } from '#lib/values/money.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import type { Allotment } from './allot.ts';
import { linesAfter, remainderOfLine } from './lines.ts';
import type { Original } from './original.ts';
import { withPassed } from './origins.ts';
import type { PaidOut } from './payout.ts';

/** Makes a return of goods that were put back, as its cheque's history keeps it. */
export function newReturn(
  head: Pick<SaleReturn, 'id' | 'sale_id' | 'kind' | 'exchange_sale_id' | 'products' | 'creator_id'>,
  { closed, exchanged, passedOn, origins }: Allotment,
  { transactions }: Pick<PaidOut, 'transactions'>,
  { takenBack, at }: { readonly takenBack: Earning | undefined; readonly at: Instant },
): SaleReturn {
  return {
    ...head,
    amount: totalAmount(head.products),
    transactions,
    debt_amount: closed,
    origins: origins.map(({ sale_id, closed, money }) => {
      return { sale_id, debt_amount: closed, money_amount: money };
    }),
    exchanged_amount: exchanged,
    passed_on_amount: passedOn,
    bonus_amount: takenBack?.amount ?? 0,
    created_at: at,
  };
}

/** Gives a cheque and its lines after a return. */
export function afterReturn({ sale, lines }: Original, made: SaleReturn) {
  const left = linesAfter(lines, made.products);
  const isWhole = left.every((line) => remainderOfLine(line) === 0);
  const paidOut = totalAmount(made.transactions);
  const gone = (made.origins ?? []).reduce((sum, { money_amount }) => sum + money_amount, 0);
  const passed = withPassed(
    { ...sale, passed_on_amount: sale.passed_on_amount + made.passed_on_amount },
    -gone,
  );
  const after: Sale = {
    ...passed,
    returned_amount: sale.returned_amount + made.amount,
    paid_out_amount: sale.paid_out_amount + paidOut,
    bonus_taken_back: (sale.bonus_taken_back ?? 0) + made.bonus_amount,
    status: isWhole ? 'full_returned' : 'partial_returned',
    updated_at: made.created_at,
  };
  return { sale: after, lines: left };
}

/** Builds the writes of a return to its cheque: header, lines, debt and history. */
export function chequeReturnWrites(
  home: Home,
  { sale, lines, debt }: Original,
  after: ReturnType<typeof afterReturn>,
  made: SaleReturn,
): Write[] {
  return [
    ...documentReplacement(sales, home, sale, after.sale),
    ...lineWrites({ type: sales.type, home, id: sale.id }, after.lines, lines.length),
    ...(debt ? closingWrites(home, debt, made.debt_amount, made.created_at) : []),
    ...returnWrites(home, made),
  ];
}

/**
 * Computes the bonuses that a return takes back: its share of those that its cheque earned, as far as the
 * client still has them. Undefined if there are none. Decisions, 9 (30).
 */
export function bonusesBack({ sale, clientSums }: Original, value: Cents, at: Instant): Earning | undefined {
  const { bonus_earned = 0, bonus_available_on: day, currency, sold_amount: sold, returned_amount } = sale;
  if (!clientSums || !day || bonus_earned === 0) return undefined;
  const earned = { amount: bonus_earned, day };
  const returned = { before: returned_amount, after: returned_amount + value };
  const taken = bonusTakenBack(bonusesIn(clientSums, currency, dayOf(at)), { earned, sold, returned });
  return taken.amount > 0 ? taken : undefined;
}

/**
 * Computes the charge of a return to the cheque's client: less bonuses, and less debt, of earlier cheques
 * too.
 */
export function chargeOf(
  { sale, origins }: Original,
  allotment: Allotment,
  takenBack: Earning | undefined,
): Charge {
  const earlier = origins.map(({ debt }, index) =>
    debt.client_id === sale.client_id ? (allotment.origins[index]?.closed ?? 0) : 0,
  );
  const closed = earlier.reduce((sum, part) => sum + part, allotment.closed);
  return { spent: 0, debt: closed === 0 ? 0 : -closed, takenBack, currency: sale.currency };
}

/** Builds the writes of a return to the cheque's client, if there is one yet. */
export function clientReturnWrites(
  home: Home,
  { sale: { client_id: id }, clientSums }: Original,
  charge: Charge,
  at: Instant,
): Write[] {
  return id === null || !clientSums ? [] : chargeWrites({ home, id }, clientSums, charge, dayOf(at));
}
