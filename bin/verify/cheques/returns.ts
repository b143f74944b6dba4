import type { Sale, SaleLine } from '#lib/trade/sale/record.ts';
import type { SaleReturn } from '#lib/trade/sale/returns-of.ts';
import { totalAmount } from '#lib/values/money.ts';
import { totalQuantity } from '#lib/values/quantity.ts';
import { type Entries, tieLine } from '../frame/entries.ts';
import { agrees } from '../frame/ledger.ts';

/** Checks a cheque against the history of its returns. */
export function returnFaults(
  sale: Sale,
  lines: readonly SaleLine[],
  returns: readonly SaleReturn[],
): string[] {
  return [...sumFaults(sale, returns), ...lines.flatMap((line) => lineFaults(line, returns))];
}

/** Ties a return to what it moved. */
export function tieReturn(entries: Entries, sale: Sale, made: SaleReturn): string[] {
  const document = made.kind === 'return' ? 'sale_return' : 'exchange';
  const mover = { document, id: made.id, stockId: made.stock_id ?? sale.stock_id };
  const goods = made.products.flatMap((line) =>
    tieLine(entries, mover, { ...line, quantity: line.returned_quantity }),
  );
  const money = made.transactions.flatMap(({ transfer_id, payment_type, amount }) => {
    const isSame = agrees(entries.postings.tie(transfer_id), {
      ...{ type: 'outcome', payment_type, amount, currency: sale.currency },
      ...{ source_type: 'sale_return', source_id: sale.id },
    });
    return isSame ? [] : [`return ${made.id} is not paid out as posting ${transfer_id} says`];
  });
  return [...goods, ...money];
}

/** Finds where a cheque says something else than its returns. */
function sumFaults(sale: Sale, returns: readonly SaleReturn[]): string[] {
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

function lineFaults({ id, ...line }: SaleLine, returns: readonly SaleReturn[]): string[] {
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
