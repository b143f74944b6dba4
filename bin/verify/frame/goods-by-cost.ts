import { stockLevelKey } from '#lib/stock/stock-level.ts';
import { getItems } from '#lib/table/read/get.ts';
import type { CostCorrectionLine } from '#lib/trade/goods-receipt/cost-correction.ts';
import type { Currency, MinorUnits } from '#lib/values/money.ts';
import type { Units } from '#lib/values/quantity.ts';
import type { Books } from './books.ts';
import { type NamedSums, sumsBy } from './ledger.ts';

/** Goods at a unit cost. */
interface Goods {
  readonly cost: MinorUnits;
  readonly currency: Currency;
  readonly quantity: Units;
}

/** Goods of one product. */
interface ProductGoods {
  readonly product_id: number;
  readonly batches: readonly Goods[];
}

/** Stock level as read before the documents. */
interface LevelRef {
  readonly stock_id: number;
  readonly product_id: number;
  readonly version: number;
}

/**
 * Goods of each product by unit cost: received by documents, less issued and remaining ones. Goods change
 * their cost by corrections alone, so each sum is zero once all are read.
 */
export class GoodsByCost {
  readonly #sums = new Map<number, NamedSums>();
  readonly #levels = new Map<number, LevelRef[]>();

  /** Adds received goods. */
  addReceived(goods: ProductGoods): void {
    this.#add(goods, 1);
  }

  /** Subtracts issued goods, or those on hold or in transit. */
  subtract(goods: ProductGoods): void {
    this.#add(goods, -1);
  }

  /** Subtracts the goods of a stock level. */
  subtractLevel({
    batches,
    ...level
  }: LevelRef & { readonly batches: readonly (Omit<Goods, 'quantity'> & { readonly left: Units })[] }): void {
    const { product_id } = level;
    this.subtract({
      product_id,
      batches: batches.map(({ left, ...goods }) => ({ ...goods, quantity: left })),
    });
    this.#levels.set(product_id, [...(this.#levels.get(product_id) ?? []), level]);
  }

  /** Keeps the former cost of goods that were gone when their line was corrected. Part 5, 5A.4, 1. */
  addCorrection(currency: Currency, line: CostCorrectionLine): void {
    const { product_id, quantity, remaining_quantity, previous_cost, cost } = line;
    const gone = { currency, quantity: quantity - remaining_quantity };
    this.addReceived({ product_id, batches: [{ ...gone, cost: previous_cost }] });
    this.subtract({ product_id, batches: [{ ...gone, cost }] });
  }

  /** Reports products whose sums are not zero; none whose stock levels have changed since they were read. */
  async report(books: Books): Promise<void> {
    for (const [productId, sums] of this.#sums) {
      const unlike = [...sums].filter(([, quantity]) => quantity !== 0);
      if (unlike.length === 0) continue;
      const levels = this.#levels.get(productId) ?? [];
      const keys = levels.map((level) => stockLevelKey(books.tenant, level.stock_id, productId));
      const now = await getItems(keys);
      if (now.some((item, index) => item?.['version'] !== levels[index]?.version)) {
        books.count('products too busy to be checked');
        continue;
      }
      const faults = unlike.map(
        ([name, quantity]) => `has ${-quantity} more at ${name} than its documents brought`,
      );
      books.report({ book: 'costs', subject: `product ${productId}`, keys }, faults);
    }
  }

  #add({ product_id, batches }: ProductGoods, sign: 1 | -1): void {
    const sums = sumsBy(this.#sums, product_id);
    for (const { cost, currency, quantity } of batches) sums.add(`${cost} ${currency}`, sign * quantity);
  }
}
