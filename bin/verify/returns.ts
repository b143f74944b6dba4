import type * as z from 'zod';
import type { Sale, SaleLine } from '#lib/trade/sale/record.ts';
import { readReturns, type SaleReturn } from '#lib/trade/sale/returns-of.ts';
import { totalAmount } from '#lib/values/money.ts';
import { totalQuantity } from '#lib/values/quantity.ts';
import type { Audit } from './audit.ts';
import { movementFault } from './claims.ts';
import { noteReturn } from './occasions.ts';
import { addTo } from './sums.ts';

type Sold = z.input<typeof Sale>;
type Line = z.input<typeof SaleLine>;

/** Checks a cheque against the history of its returns, and claims their movements and postings. */
export async function returnFaults(audit: Audit, sale: Sold, lines: readonly Line[]): Promise<string[]> {
  const returns = await readReturns({ type: 'sale', home: audit.home, id: sale.id });
  addTo(audit.counts, 'returns', returns.length);
  for (const made of returns) {
    noteClosed(audit, sale, made);
    noteReturn(audit, sale, made);
  }
  return [
    ...sumFaults(sale, returns),
    ...lines.flatMap((line) => lineFaults(line, returns)),
    ...returns.flatMap((made) => postFaults(audit, sale, made)),
  ];
}

/**
 * Notes the debts that a return closed, and the money and bonuses that it passed on: its cheque's and those
 * of others.
 */
function noteClosed({ returnedDebts, passed, inherited }: Audit, { id }: Sold, made: SaleReturn): void {
  const { debt_amount, passed_on_amount, passed_on_bonus_amount = 0, exchange_sale_id, origins = [] } = made;
  addTo(returnedDebts, String(id), -debt_amount);
  const gone = [
    ...(exchange_sale_id === null ? [] : [{ to: exchange_sale_id, money: passed_on_amount }]),
    ...origins.map(({ sale_id, money_amount }) => ({ to: sale_id, money: money_amount })),
  ];
  for (const { to, money } of gone) {
    addTo(passed, String(to), -money);
    addTo(passed, String(id), money);
  }
  if (exchange_sale_id !== null) addTo(inherited, String(exchange_sale_id), -passed_on_bonus_amount);
  for (const { sale_id, bonus_amount = 0 } of origins) addTo(inherited, String(sale_id), -bonus_amount);
  for (const origin of origins) addTo(returnedDebts, String(origin.sale_id), -origin.debt_amount);
}

/** Finds where a cheque says something else than its returns. */
function sumFaults(sale: Sold, returns: readonly SaleReturn[]): string[] {
  const all = (amountOf: (made: SaleReturn) => number) =>
    returns.reduce((sum, made) => sum + amountOf(made), 0);
  const sums = [
    ['returned_amount', sale.returned_amount, all(({ amount }) => amount)],
    ['paid_out_amount', sale.paid_out_amount, all(({ transactions }) => totalAmount(transactions))],
    ['bonus_taken_back', sale.bonus_taken_back ?? 0, all(({ bonus_amount }) => bonus_amount)],
  ] as const;
  const unlike = sums.filter(([, says, are]) => says !== are);
  return [
    ...unlike.map(([name, says, are]) => `says ${name} ${says}, its returns come to ${are}`),
    ...returns.flatMap(({ id, amount, products }) =>
      amount === totalAmount(products)
        ? []
        : [`return ${id} comes to ${amount}, its lines to ${totalAmount(products)}`],
    ),
  ];
}

function lineFaults({ id, ...line }: Line, returns: readonly SaleReturn[]): string[] {
  const own = returns.flatMap(({ products }) => products.filter((each) => each.id === id));
  const came = own.reduce((sum, { returned_quantity }) => sum + returned_quantity, 0);
  const faults = own.flatMap(({ returned_quantity, batches }) => {
    const put = totalQuantity(batches);
    return put === returned_quantity ? [] : [`line ${id} gave ${returned_quantity} back, ${put} to batches`];
  });
  if (came !== line.returned_quantity)
    faults.push(`line ${id} says that ${line.returned_quantity} came back, its returns ${came}`);
  if (line.returned_quantity > line.sold_quantity) faults.push(`line ${id} gave back more than was sold`);
  if (totalAmount(own) !== line.refunded_amount)
    faults.push(`line ${id} says that it refunded ${line.refunded_amount}, its returns ${totalAmount(own)}`);
  return faults;
}

/** Claims what a return moved. */
function postFaults(audit: Audit, sale: Sold, made: SaleReturn): string[] {
  const document = made.kind === 'return' ? 'sale_return' : 'exchange';
  const goods = made.products.flatMap((line) =>
    movementFault(audit, {
      document,
      id: made.id,
      line: line.id,
      stockId: made.stock_id ?? sale.stock_id,
      productId: line.product_id,
      quantity: line.returned_quantity,
      parts: line.batches,
    }),
  );
  const money = made.transactions.flatMap(({ transfer_id, payment_type, amount }) => {
    const posting = audit.postings.claim(String(transfer_id));
    const isSame =
      posting?.type === 'outcome' &&
      posting.payment_type === payment_type &&
      posting.amount === amount &&
      posting.currency === sale.currency &&
      posting.source_type === 'sale_return' &&
      posting.source_id === sale.id;
    return isSame ? [] : [`return ${made.id} is not paid out as posting ${transfer_id} says`];
  });
  return [...goods, ...money];
}
