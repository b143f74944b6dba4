import type { Staff } from '#lib/access/actor.ts';
import { deskMoneyWrite } from '#lib/cash/desk-money.ts';
import { TRANSFER, transfersOf, transferWrites } from '#lib/cash/transfer.ts';
import { spendBonus } from '#lib/clients/client.ts';
import { debtInsertion, debts } from '#lib/clients/debt.ts';
import { documentInsertion } from '#lib/records/documents.ts';
import { lineWrites } from '#lib/records/lines.ts';
import { withShelves } from '#lib/stock/shelves.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact, untilSettled } from '#lib/table/transact.ts';
import type { Write } from '#lib/table/write.ts';
import { invalid } from '#lib/values/refusal.ts';
import { endOfDay, type Instant } from '#lib/values/time.ts';
import { chequeRemoval } from './cheque.ts';
import { type Deal, readDeal } from './deal.ts';
import { costOf, takeGoods } from './sale-goods.ts';
import type { SaleInput } from './sale-input.ts';
import { bundleLines, type PricedLine, productLine, type Wrongs } from './sale-lines.ts';
import { checkPayments, incomeOf, paymentsOf } from './sale-payments.ts';
import { SALE_LINE, type Sale, type SaleLine, sales } from './sale-record.ts';

/**
 * Sells goods: takes them off the warehouse, the oldest batches first, and posts what is paid to the desk. All of it or
 * nothing, in one transaction; 422 with all failing fields. `remember` keeps the answer for a repetition of the call.
 * Decisions, section 5.
 */
export async function sell(
  actor: Staff,
  input: SaleInput,
  at: Instant,
  remember: (sale: Sale) => Write[],
): Promise<Sale> {
  const drawing = drawIds(actor, input);
  return untilSettled(async () => {
    const wrongs: Wrongs = {};
    const [ids, deal] = await Promise.all([drawing, readDeal(actor, input, wrongs)]);
    const priced = priceLines(input, deal, wrongs);
    const firstLineId =
      priced.length > ids.lines.count ? await nextId(SALE_LINE, actor.home, priced.length) : ids.lines.first;
    const cause = { document: 'sale', documentId: ids.sale, at, by: actor.id } as const;
    const lines = takeGoods(deal.shelves, priced, firstLineId, cause, wrongs);
    checkPayments(
      input,
      priced.reduce((sum, { amount }) => sum + amount, 0),
      at,
      wrongs,
    );
    if (Object.keys(wrongs).length > 0 || !deal.desk) throw invalid(wrongs);
    return settle(actor, input, { ...deal, desk: deal.desk }, lines, ids, at, remember);
  });
}

type Ids = Awaited<ReturnType<typeof drawIds>>;

/** Draws all ids a sale may need, beside its reads. */
async function drawIds({ home }: Staff, { products, transactions, currency }: SaleInput) {
  const incomes = incomeOf(transactions, currency).length;
  const count = products.length;
  const [sale, first, transfer, debt] = await Promise.all([
    nextId(sales.type, home),
    count > 0 ? nextId(SALE_LINE, home, count) : 0,
    incomes > 0 ? nextId(TRANSFER, home, incomes) : 0,
    transactions.some(({ payment_type }) => payment_type === 'debt') ? nextId(debts.type, home) : 0,
  ]);
  return { sale, lines: { first, count }, transfer, debt };
}

function priceLines(input: SaleInput, { products, bundles, pricing }: Deal, wrongs: Wrongs): PricedLine[] {
  if (input.products.length + input.bundles.length === 0) wrongs['products'] = 'sale.no_lines';
  const sold = input.products.flatMap((asked, index) => {
    const path = `products.${index}`;
    const product = products.get(asked.product_id);
    if (product) return [productLine(product, asked, path, pricing, wrongs)];
    wrongs[`${path}.product_id`] = 'validation.exists';
    return [];
  });
  const bundled = input.bundles.flatMap((asked, index) => {
    const path = `bundles.${index}`;
    const bundle = bundles.get(asked.bundle_id);
    if (bundle) return bundleLines(bundle, products, asked, path, pricing, wrongs);
    wrongs[`${path}.bundle_id`] = 'validation.exists';
    return [];
  });
  return [...sold, ...bundled];
}

async function settle(
  actor: Staff,
  input: SaleInput,
  deal: Deal & { readonly desk: NonNullable<Deal['desk']> },
  lines: readonly SaleLine[],
  ids: Ids,
  at: Instant,
  remember: (sale: Sale) => Write[],
): Promise<Sale> {
  const { home, id: creator_id } = actor;
  const { desk, pricing, shelves } = deal;
  const { transactions, client_id, cashbox_id, comment, due_date } = input;
  const { company_id } = desk;
  const occasion = {
    company_id,
    cashbox_id,
    creator_id,
    source_type: 'sale',
    source_id: ids.sale,
    comment,
    at,
  } as const;
  const income = transfersOf(desk.money, incomeOf(transactions, pricing.currency), occasion, ids.transfer);
  if (!income) throw new Error('What comes in can leave no desk below zero');
  const sale: Sale = {
    id: ids.sale,
    creator_id,
    company_id,
    cashbox_id,
    stock_id: input.stock_id,
    client_id,
    hold_id: null,
    exchange_of_sale_id: null,
    currency: pricing.currency,
    purchased_amount: costOf(lines, pricing),
    sold_amount: lines.reduce((sum, { amount }) => sum + amount, 0),
    returned_amount: 0,
    status: 'completed',
    source_type: 'native',
    source_data: [],
    code: `#${ids.sale}`,
    comment,
    transactions: paymentsOf(transactions, income.transfers, ids.debt),
    products_count: lines.length,
    created_at: at,
    updated_at: at,
  };
  const writes = [
    documentInsertion(sales, home, sale),
    ...lineWrites(sales.type, home, sale.id, lines),
    ...(income.transfers.length > 0 ? [deskMoneyWrite(home, desk.id, desk.money, income.money)] : []),
    ...transferWrites(home, income.transfers),
    ...transactions.flatMap(({ payment_type, amount }, index) => {
      if (client_id === null) return [];
      if (payment_type === 'bonus') {
        const short = invalid({ [`transactions.${index}.amount`]: 'sale.bonus_short' });
        return [spendBonus(home, client_id, amount, short)];
      }
      if (payment_type !== 'debt' || due_date === null) return [];
      const { currency } = sale;
      const dates = { due_date: endOfDay(due_date) - 1000, created_at: at, updated_at: at };
      const debt = {
        id: ids.debt,
        creator_id,
        company_id,
        client_id,
        sale_id: sale.id,
        currency,
        amount,
        comment,
      };
      return [debtInsertion(home, { ...debt, ...dates })];
    }),
    ...(input.cheque === null ? [] : [chequeRemoval(home, company_id, cashbox_id, input.cheque)]),
    ...remember(sale),
  ];
  await transact(withShelves(shelves, writes));
  return sale;
}
