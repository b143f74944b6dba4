import type { Person, Reply } from '../program/person.ts';

/** Lists what is on the shelves, beside the sum of what came and went. Throws if they differ. */
export async function balanceShelves(person: Person): Promise<object[]> {
  const shelves = (await person.call('GET /company/stock/product?sort[]=id&with[]=product')).rows();
  return Promise.all(
    shelves.map(async (shelf) => {
      const path = `/company/stock/product/${shelf.number('id')}/movements`;
      const moved = (await person.call(`GET ${path}`)).rows().map((movement) => movement.number('quantity'));
      const came = sum(moved.filter((quantity) => quantity > 0));
      const went = sum(moved.filter((quantity) => quantity < 0));
      return requireEqual(`the movements of ${shelf.text('product.name')}`, sum([came, went]), {
        product: shelf.text('product.name'),
        ...{ came, went, 'on the shelf': shelf.number('quantity') },
      });
    }),
  );
}

/**
 * Lists what was paid by cheques and of debts, given back, and spent and collected, for each way of paying,
 * beside what the desk holds and what is still owed. Throws if they differ.
 */
export async function balanceDesk(person: Person, cashboxId: number): Promise<object[]> {
  const desk = await person.call(`GET /company/cashbox/cashbox/${cashboxId}`);
  const transfers = (await person.call(`GET /company/cashbox/cashbox/${cashboxId}/transfers`)).rows();
  const debts = (await person.call('GET /company/client/debt')).rows();
  const sumOfDebts = (field: string) => sum(debts.map((debt) => debt.number(field)));
  const ways = ['cash', 'card', 'bank'].map((way) => {
    const ofWay = transfers.filter((transfer) => transfer.text('payment_type') === way);
    const paid = incomeOf(ofWay, ['sale']);
    const repaid = incomeOf(ofWay, ['debt_payment']);
    const back = 0 - incomeOf(ofWay, ['sale_return']);
    const spent = paid + repaid - back - incomeOf(ofWay);
    return rowOf(way, [paid, repaid, back, spent], desk.number(`balances.${way}.uzs`));
  });
  const debt = [sumOfDebts('amount'), -sumOfDebts('repaid_amount'), sumOfDebts('returned_amount'), 0];
  return [...ways, rowOf('debt', debt, sumOfDebts('remaining_amount'))];
}

function rowOf(way: string, [paid = 0, repaid = 0, back = 0, spent = 0]: number[], left: number): object {
  const columns = {
    'by cheques': paid,
    'of debts': repaid,
    'given back': back,
    'spent and collected': spent,
  };
  return requireEqual(`the payments by ${way}`, paid + repaid - back - spent, {
    ...{ 'paid by': way, ...columns, 'in the desk, or owed': left },
  });
}

function requireEqual(what: string, expected: number, row: object): object {
  if (Object.values(row).at(-1) !== expected) throw new Error(`They don't add up: ${what}`);
  return row;
}

/** Sums incomes less outcomes: of these sources, or of all. */
function incomeOf(transfers: readonly Reply[], sources?: readonly string[]): number {
  const counted = transfers.filter((transfer) => !sources || sources.includes(transfer.text('source_type')));
  return sum(
    counted.map((transfer) => transfer.number('amount') * (transfer.text('type') === 'income' ? 1 : -1)),
  );
}

/** Adds exactly: quantities have at most eight decimals. */
function sum(quantities: readonly number[]): number {
  return Math.round(quantities.reduce((total, quantity) => total + quantity, 0) * 1e8) / 1e8;
}
