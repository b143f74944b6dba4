import type { Maker } from '#lib/access/actor.ts';
import { type Charge, chargeWrites } from '#lib/clients/charge.ts';
import { closingWrites } from '#lib/clients/debt/change.ts';
import { documentReplacement } from '#lib/records/documents.ts';
import { lineWrites } from '#lib/records/lines.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Home } from '#lib/table/keys.ts';
import { type Sale, sales } from '#lib/trade/sale/record.ts';
import { returnWrites, type SaleReturn } from '#lib/trade/sale/returns-of.ts';
import { totalAmount } from '#lib/values/money.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import { type Allotment, withoutAllotted } from './allot.ts';
import { type MovedBonuses, moveBonuses, withMovedBonuses } from './bonuses.ts';
import { linesAfter, remainderOfLine } from './lines.ts';
import type { Original } from './original.ts';
import type { PaidOut } from './payout.ts';

/** Makes a return of goods that were put back, as its cheque's history keeps it. */
export function newReturn(
  head: Pick<
    SaleReturn,
    'id' | 'sale_id' | 'cashbox_id' | 'stock_id' | 'kind' | 'exchange_sale_id' | 'products' | keyof Maker
  >,
  { closed, exchanged, passedOn, origins }: Allotment,
  { transactions }: Pick<PaidOut, 'transactions'>,
  { moved, at }: { readonly moved: MovedBonuses; readonly at: Instant },
): SaleReturn {
  return {
    ...head,
    amount: totalAmount(head.products),
    transactions,
    debt_amount: closed,
    origins: origins.map(({ sale_id, closed, money }, index) => {
      const bonus_amount = totalAmount(moved.origins[index] ?? []);
      return { sale_id, debt_amount: closed, money_amount: money, bonus_amount };
    }),
    exchanged_amount: exchanged,
    passed_on_amount: passedOn,
    passed_on_bonus_amount: totalAmount(moved.passedOn),
    bonus_amount: totalAmount(moved.takenBack),
    created_at: at,
  };
}

/** Gives a cheque and its lines after a return. */
export function afterReturn(
  { sale, lines, debt }: Pick<Original, 'sale' | 'lines' | 'debt'>,
  allotment: Allotment,
  made: SaleReturn,
) {
  const left = linesAfter(lines, made.products);
  const isWhole = left.every((line) => remainderOfLine(line) === 0);
  const after: Sale = {
    ...withMovedBonuses(withoutAllotted(sale, allotment), debt),
    returned_amount: sale.returned_amount + made.amount,
    bonus_taken_back: sale.bonus_taken_back + made.bonus_amount,
    status: isWhole ? 'full_returned' : 'partial_returned',
    updated_at: made.created_at,
  };
  return { sale: after, lines: left };
}

/**
 * Makes a return with what it leaves of its cheque, moves its bonuses, and computes the charge to the client.
 * `heir` is the client of the new cheque of an exchange.
 */
export function makeReturn(
  original: Original,
  head: Omit<Parameters<typeof newReturn>[0], 'sale_id'>,
  {
    allotment,
    paidOut,
    heir,
    at,
  }: {
    readonly allotment: Allotment;
    readonly paidOut: PaidOut;
    readonly heir: number | null;
    readonly at: Instant;
  },
) {
  const moved = moveBonuses(original, allotment, { heir, at });
  const made = newReturn({ ...head, sale_id: original.sale.id }, allotment, paidOut, { moved, at });
  const after = afterReturn(original, allotment, made);
  return { made, moved, after, charge: chargeOf(original, allotment, moved.takenBack) };
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
 * Computes the charge of a return to the cheque's client: less bonuses, and less debt, of earlier cheques
 * too.
 */
function chargeOf({ sale, origins }: Original, allotment: Allotment, takenBack: Charge['takenBack']): Charge {
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
