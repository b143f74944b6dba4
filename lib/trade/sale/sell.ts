import type { Staff } from '#lib/access/actor.ts';
import { shelfWrites } from '#lib/stock/shelves.ts';
import type { Home } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import type { Write } from '#lib/table/transaction/write.ts';
import { draftRemoval } from '#lib/trade/draft/record.ts';
import { Problems } from '#lib/values/problems.ts';
import type { Instant } from '#lib/values/time.ts';
import { bundleLines } from './bundle-price.ts';
import { type Deal, readDeal } from './deal.ts';
import { takeGoods } from './goods.ts';
import type { SaleInput } from './input.ts';
import { checkPayments, checkSums } from './payments.ts';
import { type PricedLine, productLine } from './price.ts';
import { SALE_LINE, type Sale } from './record.ts';
import { drawSaleIds, newSale, saleWrites, type Terms } from './write.ts';

/**
 * Sells goods: takes them off the warehouse, the oldest batches first, and posts the payments to the desk.
 * All of it or nothing, in one transaction. `remember` keeps the answer for a repetition of the call.
 * Decisions, 5. 422 with all failing fields.
 */
export async function sell(
  actor: Staff,
  input: SaleInput,
  at: Instant,
  remember: (sale: Sale) => Write[],
): Promise<Sale> {
  const drawing = drawSaleIds(actor.home, input.products.length, input);
  return retryOnContention(async () => {
    const problems = new Problems();
    const [ids, deal] = await Promise.all([drawing, readDeal(actor, input, problems)]);
    const priced = priceLines(input, deal, problems);
    const firstLineId =
      priced.length > ids.lines.count ? await nextId(SALE_LINE, actor.home, priced.length) : ids.lines.first;
    const cause = { document: 'sale', documentId: ids.sale, at, by: actor.id } as const;
    const taken = takeGoods(deal.shelves, priced, firstLineId, cause, deal.pricing, problems);
    checkPayments(
      input,
      priced.reduce((sum, { amount }) => sum + amount, 0),
      at,
      problems,
    );
    checkSums(input.transactions, deal, problems);
    const { desk, pricing, shelves } = deal;
    if (problems.areAny || !desk) throw problems.refusal;
    const made = newSale(actor, termsOf(input), { ...taken, desk, pricing, ids }, at);
    await transact([
      ...saleWrites(actor.home, made),
      ...shelfWrites(shelves),
      ...draftWrites(actor.home, made.sale, input.cheque),
      ...remember(made.sale),
    ]);
    return made.sale;
  });
}

function priceLines(
  input: SaleInput,
  { products, bundles, pricing }: Deal,
  problems: Problems,
): PricedLine[] {
  if (input.products.length + input.bundles.length === 0) problems.add('products', 'sale.no_lines');
  const sold = input.products.flatMap((asked, index) => {
    const path = `products.${index}`;
    const product = products.get(asked.product_id);
    if (product) return [productLine(product, asked, path, pricing, problems)];
    problems.add(`${path}.product_id`, 'validation.not_found');
    return [];
  });
  const bundled = input.bundles.flatMap((asked, index) => {
    const path = `bundles.${index}`;
    const bundle = bundles.get(asked.bundle_id);
    if (bundle) return bundleLines(bundle, products, asked, path, pricing, problems);
    problems.add(`${path}.bundle_id`, 'validation.not_found');
    return [];
  });
  return [...sold, ...bundled];
}

function draftWrites(home: Home, { company_id, cashbox_id }: Sale, draft: number | null): Write[] {
  return draft === null ? [] : [draftRemoval(home, company_id, cashbox_id, draft)];
}

function termsOf({ cashbox_id, stock_id, client_id, transactions, due_date, comment }: SaleInput): Terms {
  const places = { cashbox_id, stock_id, client_id };
  return { ...places, transactions, due_date, comment, source_type: 'native', source_data: [] };
}
