import type * as z from 'zod';
import { vouched } from '#lib/records/stored.ts';
import { balanceKey } from '#lib/stock/balance.ts';
import { type Home, type Key, partition, recordKey } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';
import { bonusSharesOf, Sale, SaleLine, sales } from '#lib/trade/sale/record.ts';
import { PaymentType, totalAmount } from '#lib/values/money.ts';
import { totalQuantity } from '#lib/values/quantity.ts';
import { type Audit, itemsAt } from './audit.ts';
import { movementFault, type ToldMovement } from './claims.ts';
import { linesOf } from './document-lines.ts';
import { noteCheque } from './occasions.ts';
import { returnFaults } from './returns.ts';
import { addTo } from './sums.ts';

type Sold = z.input<typeof Sale>;
type Line = z.input<typeof SaleLine>;

const STEP = 100;

/** Checks every cheque against its lines and payments, and claims its movements, postings and debts. */
export async function checkSales(audit: Audit): Promise<void> {
  const lineIds = new Set<number>();
  for await (const items of walk(partition(sales.type, audit.home), STEP)) {
    await Promise.all(items.map((item) => checkSale(audit, vouched(Sale, item), lineIds)));
  }
  reportRests(audit, audit.returnedDebts, 'has a debt of which returns closed so much less than it says:');
  reportRests(audit, audit.passed, 'has so much more passed on to it than returns say:');
  reportRests(audit, audit.inherited, 'has inherited so much more bonuses than returns say:');
}

/** Reports where cheques say something else than all returns: one may concern other cheques too. */
function reportRests({ home, violations }: Audit, rests: ReadonlyMap<string, number>, what: string): void {
  for (const [id, rest] of rests) {
    if (rest === 0) continue;
    const history = itemsAt(recordKey(sales.type, home, Number(id)));
    violations.push({ book: 'sales', subject: `sale ${id}`, what: `${what} ${rest}`, history });
  }
}

async function checkSale(audit: Audit, sale: Sold, lineIds: Set<number>): Promise<void> {
  const { home } = audit;
  const lines = await linesOf(SaleLine, sales.type, audit.home, sale);
  const keys = [recordKey(sales.type, home, sale.id), ...shelvesOf(home, sale, lines)];
  const report = (what: string) =>
    audit.violations.push({
      book: 'sales',
      subject: `sale ${sale.id}`,
      what,
      history: async () => [...(await itemsAt(...keys)()), ...(lines ?? [])],
    });
  addTo(audit.counts, 'sales', 1);
  postBonuses(audit, sale);
  noteCheque(audit, sale);
  addTo(audit.passed, String(sale.id), passedTo(sale));
  addTo(audit.inherited, String(sale.id), totalAmount(bonusSharesOf(sale)) - (sale.bonus_earned ?? 0));
  if (!lines) return void report('has fewer lines than it says');
  addTo(audit.counts, 'lines of sales', lines.length);
  for (const fault of faultsOf(sale, lines)) report(fault);
  for (const { id } of lines) {
    if (lineIds.has(id)) report(`has line ${id}, which another sale also has`);
    lineIds.add(id);
  }
  const unlike = [
    ...(await returnFaults(audit, sale, lines)),
    ...lines.flatMap((line) => movementFault(audit, soldBy(sale, line))),
    ...sale.transactions.flatMap((payment) => paymentFault(audit, sale, payment)),
  ];
  for (const fault of unlike) report(fault);
}

function soldBy({ id, stock_id: stockId }: Sold, line: Line): ToldMovement {
  const { product_id: productId, sold_quantity, batches } = line;
  return {
    document: 'sale',
    id,
    line: line.id,
    stockId,
    productId,
    quantity: -sold_quantity,
    parts: batches,
  };
}

/** Lists the places that a cheque's goods were taken from, with the latest movements there. */
function shelvesOf(home: Home, { stock_id }: Sold, lines: readonly Line[] = []): Key[] {
  return lines.map(({ product_id }) => balanceKey(home, stock_id, product_id));
}

/** Finds faults within a cheque. */
function faultsOf(sale: Sold, lines: readonly Line[]): string[] {
  const { products_count, sold_amount, transactions, exchanged_amount } = sale;
  const faults: string[] = [];
  const amount = totalAmount(lines);
  const paid = totalAmount(transactions) + exchanged_amount;
  if (lines.length !== products_count) faults.push(`has ${lines.length} lines, but says ${products_count}`);
  if (amount !== sold_amount) faults.push(`comes to ${sold_amount}, its lines to ${amount}`);
  if (paid !== sold_amount) faults.push(`comes to ${sold_amount}, its payments to ${paid}`);
  const hasDebt = transactions.some(({ payment_type }) => payment_type === 'debt');
  if (!hasDebt && leftOf(sale) < 0) faults.push(PAID_TOO_MUCH);
  const status = statusOf(lines);
  if (sale.status !== status) faults.push(`is ${sale.status}, its lines are ${status}`);
  const { bonus_shares = [] } = sale;
  if (status === 'full_returned' && bonus_shares.some(({ amount, gone_amount }) => gone_amount !== amount))
    faults.push('keeps bonuses, and nothing that earned them');
  for (const { id, batches, sold_quantity } of lines) {
    const taken = totalQuantity(batches);
    if (taken !== sold_quantity)
      faults.push(`line ${id} is of ${sold_quantity}, but took ${taken} from batches`);
  }
  return faults;
}

/** Adds what a cheque leaves to its client: earned, less what returns took back and what it spent. */
function postBonuses({ bonuses }: Audit, sale: Sold): void {
  const { client_id, currency, transactions, bonus_earned = 0, bonus_taken_back = 0 } = sale;
  const spent = transactions.find(({ payment_type }) => payment_type === 'bonus')?.amount ?? 0;
  addTo(bonuses, `${client_id} ${currency}`, bonus_earned - bonus_taken_back - spent);
}

const PAID_TOO_MUCH = 'has paid out more than came for it';

/** Computes how much of the money for a cheque is still its own. */
function leftOf({ received_amount, paid_out_amount, passed_on_amount }: Sold): number {
  return received_amount - paid_out_amount - passed_on_amount;
}

/** Computes how much a cheque says that others passed on to it, less what it passed on itself. */
function passedTo({ received_amount, passed_on_amount, transactions }: Sold): number {
  const own = transactions.filter(({ payment_type }) => PaymentType.safeParse(payment_type).success);
  return received_amount - passed_on_amount - totalAmount(own);
}

function statusOf(lines: readonly Line[]): Sold['status'] {
  if (lines.every(({ returned_quantity }) => returned_quantity === 0)) return 'completed';
  const isWhole = lines.every(({ returned_quantity, sold_quantity }) => returned_quantity === sold_quantity);
  return isWhole ? 'full_returned' : 'partial_returned';
}

function paymentFault(audit: Audit, sale: Sold, payment: Sold['transactions'][number]): string[] {
  const { payment_type, amount, transfer_id } = payment;
  if (payment_type === 'debt') return debtFault(audit, sale, payment);
  if (!PaymentType.safeParse(payment_type).success) return [];
  const posting = audit.postings.claim(String(transfer_id));
  if (!posting) return [`is paid by posting ${transfer_id}, which does not exist`];
  const isSame =
    posting.type === 'income' &&
    posting.payment_type === payment_type &&
    posting.amount === amount &&
    posting.currency === sale.currency &&
    posting.cashbox_id === sale.cashbox_id &&
    posting.source_type === 'sale' &&
    posting.source_id === sale.id;
  return isSame ? [] : [`is not paid as posting ${transfer_id} says: ${JSON.stringify(posting)}`];
}

function debtFault(audit: Audit, sale: Sold, { amount, debt_id }: Sold['transactions'][number]): string[] {
  const debt = audit.debts.claim(String(debt_id));
  if (!debt) return [`is owed by debt ${debt_id}, which does not exist`];
  addTo(audit.returnedDebts, String(sale.id), debt.returned_amount);
  if (leftOf(sale) + debt.repaid_amount < 0) return [PAID_TOO_MUCH];
  const isSame = debt.sale_id === sale.id && debt.client_id === sale.client_id && debt.amount === amount;
  return isSame && debt.currency === sale.currency ? [] : [`is not owed as debt ${debt_id} says`];
}
