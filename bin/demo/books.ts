import type { Person, Reply } from '../cli/person.ts';

/** Lists the stock levels beside the sums of their movements. Throws if they differ. */
export async function reconcileStock(person: Person): Promise<object[]> {
  const stockLevels = (await person.call('GET /company/stock/product?sort[]=id&with[]=product')).rows();
  return Promise.all(
    stockLevels.map(async (stockLevel) => {
      const path = `/company/stock/product/${stockLevel.number('id')}/movements`;
      const moved = (await person.call(`GET ${path}`)).rows().map((movement) => movement.number('quantity'));
      const came = sum(moved.filter((quantity) => quantity > 0));
      const went = sum(moved.filter((quantity) => quantity < 0));
      const row = { product: stockLevel.text('product.name'), came, went };
      return balance(sum([came, went]), { ...row, 'on the shelf': stockLevel.number('quantity') });
    }),
  );
}

/**
 * Lists payments of sales and of debts, refunds, expenses and collections by payment type, beside the desk's
 * balance and outstanding debts. Throws if they differ.
 */
export async function reconcileDesk(person: Person, cashboxId: number): Promise<object[]> {
  const desk = await person.call(`GET /company/cashbox/cashbox/${cashboxId}`);
  const transfers = (await person.call(`GET /company/cashbox/cashbox/${cashboxId}/transfers`)).rows();
  const debts = (await person.call('GET /company/client/debt')).rows();
  const debtSum = (field: string) => sum(debts.map((debt) => debt.number(field)));
  const ways = ['cash', 'card', 'bank'].map((way) => {
    const ofWay = transfers.filter((transfer) => transfer.text('payment_type') === way);
    const came = (...sources: string[]) =>
      incomeOf(ofWay.filter((transfer) => sources.includes(transfer.text('source_type'))));
    const moved = [came('sale'), came('debt_payment'), 0 - came('sale_return')] as const;
    const spent = came('sale', 'debt_payment', 'sale_return') - incomeOf(ofWay);
    return rowOf(way, [...moved, spent], desk.number(`balances.${way}.uzs`));
  });
  const debt = [debtSum('amount'), 0 - debtSum('repaid_amount'), debtSum('returned_amount'), 0] as const;
  return [...ways, rowOf('debt', debt, debtSum('remaining_amount'))];
}

type Moved = readonly [paid: number, repaid: number, back: number, spent: number];

function rowOf(way: string, [paid, repaid, back, spent]: Moved, left: number): object {
  const columns = { 'by cheques': paid, 'of debts': repaid, 'given back': back };
  const row = { 'paid by': way, ...columns, 'spent and collected': spent };
  return balance(paid + repaid - back - spent, { ...row, 'in the desk, or owed': left });
}

/** Returns a row whose last column has the expected value. */
export function balance(expected: number, row: object): object {
  if (Object.values(row).at(-1) === expected) return row;
  throw new Error(`They don't add up: ${JSON.stringify(row)}`);
}

/** Sums incomes less outcomes. */
function incomeOf(transfers: readonly Reply[]): number {
  return sum(transfers.map((each) => each.number('amount') * (each.text('type') === 'income' ? 1 : -1)));
}

/** Adds exactly: quantities have at most eight decimals. */
export function sum(quantities: readonly number[]): number {
  return Math.round(quantities.reduce((total, quantity) => total + quantity, 0) * 1e8) / 1e8;
}
