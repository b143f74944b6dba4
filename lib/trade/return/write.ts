import type { Maker } from '#lib/auth/actor.ts';
import { balanceChangeWrites, type ClientBalanceChange } from '#lib/clients/balance-change.ts';
import type { Earning } from '#lib/clients/bonuses.ts';
import { closingWrites, type DebtClosing } from '#lib/clients/debt/change.ts';
import { documentInsertion, documentReplacement } from '#lib/records/documents.ts';
import { lineWrites } from '#lib/records/lines.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { documentRef } from '#lib/trade/document/lines.ts';
import { sumToDeposit } from '#lib/trade/sale/payments.ts';
import { type Sale, type SaleLine, sales } from '#lib/trade/sale/record.ts';
import { allLinesOf, returnWrites, type SaleReturn } from '#lib/trade/sale/returns-of.ts';
import { requireSameSale } from '#lib/trade/sale/write.ts';
import { type MinorUnits, totalAmount } from '#lib/values/money.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import { sumByVat, totalVat, vatTupleOf } from '#lib/values/vat.ts';
import { addPassedMoney, type RefundAllocation, subtractAllocation } from './allocate-refund.ts';
import { applyBonusTransfers, type BonusTransfers, moveBonuses } from './bonuses.ts';
import type { Purses } from './chain-purses.ts';
import { linesAfter, remainderOfLine } from './lines.ts';
import type { EarlierSale, Original } from './original.ts';
import { type Purse, withPurse } from './purse.ts';
import { headerOf, saleReturns } from './record.ts';
import { remainderOfService, servicesAfter } from './services.ts';

/** Fields of a return that do not follow from the allocation of its value. */
type ReturnHead = Pick<
  SaleReturn,
  | 'id'
  | 'cashbox_id'
  | 'shift_id'
  | 'stock_id'
  | 'kind'
  | 'exchange_sale_id'
  | 'products'
  | 'services'
  | 'transactions'
  | 'created_at'
> &
  Maker;

/** Completed return, with the resulting sale. */
export interface CompletedReturn {
  /** As stored in the sale's history. */
  readonly made: SaleReturn;
  /** The sale after it. */
  readonly sale: Sale;
  readonly lines: readonly SaleLine[];
  readonly moved: BonusTransfers;
  /** Remaining money of all sales concerned. */
  readonly purses: Purses;
  /** Balance change of the sale's client: fewer bonuses, more deposit, less debt, also of earlier sales. */
  readonly charge: ClientBalanceChange;
}

/** Allocation of a return's value, and of money; `heir` is the client of an exchange's new sale. */
export interface Moves {
  readonly allotment: RefundAllocation;
  readonly heir: number | null;
  readonly purses: Purses;
}

/** Builds the return of goods put back into stock. */
export function makeReturn(
  original: Original,
  head: ReturnHead,
  { allotment, heir, purses }: Moves,
): CompletedReturn {
  const moved = moveBonuses(original, allotment, { heir, at: head.created_at });
  const made = newReturn({ ...head, sale_id: original.sale.id }, allotment, moved);
  const charge = chargeOf(original, made, moved.takenBack);
  const { sale, lines } = afterReturn(original, allotment, made);
  return { made, moved, purses, charge, sale: withPurse(sale, purses.own, original.debt), lines };
}

/** Builds a return for its sale's history. */
export function newReturn(
  head: ReturnHead & Pick<SaleReturn, 'sale_id'>,
  { closed, writtenOff, exchanged, passedOn, origins }: RefundAllocation,
  moved: BonusTransfers,
): SaleReturn {
  const lines = allLinesOf(head);
  return {
    ...head,
    amount: totalAmount(lines),
    vat_amount: totalVat(lines),
    vat: sumByVat(lines).map(vatTupleOf),
    debt_amount: closed,
    written_off_amount: writtenOff,
    origins: origins.map((share, index) => ({
      sale_id: share.sale_id,
      debt_amount: share.closed,
      written_off_amount: share.writtenOff,
      money_amount: share.money,
      bonus_amount: totalAmount(moved.origins[index] ?? []),
    })),
    exchanged_amount: exchanged,
    passed_on_amount: passedOn,
    passed_on_bonus_amount: totalAmount(moved.passedOn),
    bonus_amount: totalAmount(moved.takenBack),
  };
}

/** Computes a sale and its lines after a return. */
export function afterReturn(
  { sale, lines, debt }: Pick<Original, 'sale' | 'lines' | 'debt'>,
  allotment: RefundAllocation,
  made: SaleReturn,
) {
  const left = linesAfter(lines, made.products);
  const services = servicesAfter(sale.services ?? [], made.services ?? []);
  const isWhole =
    left.every((line) => remainderOfLine(line) === 0) &&
    services.every((service) => remainderOfService(service) === 0);
  const isExchanged = made.kind === 'exchange';
  const after: Sale = {
    ...applyBonusTransfers(subtractAllocation(sale, allotment), debt),
    returned_amount: sale.returned_amount + made.amount,
    ...(services.length > 0 && { services }),
    bonus_taken_back: sale.bonus_taken_back + made.bonus_amount,
    status: isWhole ? 'full_returned' : 'partial_returned',
    source_data: isExchanged ? { ...sale.source_data, ...exchangeNote(made.id) } : sale.source_data,
    updated_at: made.created_at,
  };
  return { sale: after, lines: left };
}

/** Returns the note that links both sales of an exchange, by the id of its return. */
export function exchangeNote(returnId: number) {
  return { exchange_key: `exchange-${returnId}` };
}

function chargeOf(
  { sale, origins }: Original,
  made: SaleReturn,
  takenBack: ClientBalanceChange['takenBack'],
): ClientBalanceChange {
  const earlier = origins.map(({ debt }, index) =>
    debt.client_id === sale.client_id ? (made.origins[index]?.debt_amount ?? 0) : 0,
  );
  const closed = earlier.reduce((sum, part) => sum + part, made.debt_amount);
  const deposit = sumToDeposit(made.transactions);
  return {
    ...{ spent: 0, debt: closed === 0 ? 0 : -closed, takenBack, currency: sale.currency },
    ...(deposit > 0 && { deposit }),
  };
}

/**
 * Builds a return's writes to its sale: header, lines, debt and history, to the list of returns, and to the
 * earlier sales. `stockId` is the warehouse whose figures include it.
 */
export function saleReturnWrites(
  tenant: Tenant,
  original: Original,
  { made, moved, purses, ...after }: CompletedReturn,
  stockId = made.stock_id,
): Write[] {
  const { sale, lines, debt } = original;
  return [
    ...documentReplacement(sales, tenant, sale, after.sale),
    ...lineWrites(documentRef(sales, tenant, sale.id), after.lines, lines.length),
    ...(debt ? closingWrites(tenant, debt, closingOf(made), made.created_at) : []),
    ...returnWrites(tenant, made),
    documentInsertion(saleReturns, tenant, headerOf(sale, made, stockId)),
    ...originWrites(tenant, original, made, { moved, purses }),
  ];
}

/** Builds a return's writes to the sale's client, if any. */
export function clientReturnWrites(
  tenant: Tenant,
  { sale: { client_id: id }, clientSums }: Original,
  { made, charge }: CompletedReturn,
): Write[] {
  const hasClient = id !== null && clientSums !== undefined;
  return hasClient ? balanceChangeWrites({ tenant, id }, clientSums, charge, dayOf(made.created_at)) : [];
}

/** Returns the parts of a debt that a return closes. */
function closingOf(share: Pick<SaleReturn, 'debt_amount' | 'written_off_amount'> | undefined): DebtClosing {
  return { owed: share?.debt_amount ?? 0, writtenOff: share?.written_off_amount ?? 0 };
}

/** Earlier sale with the debt that a return closes, and the money that it moves there. */
interface EarlierShare extends EarlierSale {
  readonly closing: DebtClosing;
  readonly money: MinorUnits;
  /** All its money, by origin. */
  readonly purse: Purse | undefined;
  /** Bonuses gained; undefined for another client's sale, whose bonuses are unchanged. */
  readonly gained: readonly Earning[] | undefined;
}

/**
 * Builds a return's writes to the sales that its own was exchanged from: their debts, their money, and the
 * balances of other clients. Those that it only depends on must be unchanged since the read.
 */
function originWrites(
  tenant: Tenant,
  { sale: { client_id }, origins }: Original,
  { origins: shares, created_at: at }: SaleReturn,
  { moved, purses }: { readonly moved: BonusTransfers; readonly purses: Purses },
): Write[] {
  const theirs = origins.map((origin, index) => {
    const share = shares[index];
    const [closing, money] = [closingOf(share), share?.money_amount ?? 0];
    const gained = origin.debt.client_id === client_id ? moved.origins[index] : undefined;
    return { ...origin, closing, money, gained, purse: purses.origins[index] };
  });
  const others = theirs.filter(({ debt, closing }) => debt.client_id !== client_id && closing.owed > 0);
  return [
    ...theirs.flatMap((origin) => [
      ...moneyWrites(tenant, origin, at),
      ...closingWrites(tenant, origin.debt, origin.closing, at),
    ]),
    ...[...Map.groupBy(others, ({ debt }) => debt.client_id).values()].flatMap((owed) =>
      debtorWrites(tenant, owed, at),
    ),
  ];
}

function moneyWrites(
  tenant: Tenant,
  { sale, debt, money, purse, gained }: EarlierShare,
  at: Instant,
): Write[] {
  if (money === 0) return [requireSameSale(tenant, sale)];
  const passed = { ...addPassedMoney(sale, money), updated_at: at };
  const after = purse ? withPurse(passed, purse, debt) : passed;
  return documentReplacement(sales, tenant, sale, gained ? applyBonusTransfers(after, debt, gained) : after);
}

/** Builds the writes to one client, some of whose debts are closed. */
function debtorWrites(tenant: Tenant, owed: readonly EarlierShare[], at: Instant): Write[] {
  const [first] = owed;
  if (!first?.clientSums) return [];
  const debt = -owed.reduce((sum, { closing }) => sum + closing.owed, 0);
  const change = { spent: 0, debt, currency: first.debt.currency };
  return balanceChangeWrites({ tenant, id: first.debt.client_id }, first.clientSums, change, dayOf(at));
}
