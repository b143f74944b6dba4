import { randomUUID } from 'node:crypto';
import type { Person, Reply } from '../cli/person.ts';
import { type Basket, type Counter, SALE_ROUTE } from '../cli/trade.ts';

/** Types that a till syncs: products with their prices, and currency rates. */
const TYPES = ['product.product', 'cashbox.currency-rate'];

/** Sales per upload. */
const MAX_A_CALL = 50;

/**
 * A till that sells by its replica, online or offline, saves each sale before the customer leaves, and
 * uploads them once online. A real one stores both on its disk.
 */
export class OfflineTill {
  readonly #seller: Person;
  readonly #counter: Counter;
  readonly #replica = new Map<string, Reply>();
  #cursor = '';
  /** Sales to upload, oldest first. */
  #pending: { readonly key: string; readonly body: object }[] = [];

  constructor(seller: Person, counter: Counter) {
    this.#seller = seller;
    this.#counter = counter;
  }

  /** Updates the replica, and returns its number of records. */
  async load(): Promise<number> {
    for (let hasMore = true; hasMore; ) {
      const types = TYPES.map((type) => `types[]=${type}`).join('&');
      const query = this.#cursor === '' ? types : `cursor=${this.#cursor}`;
      const page = await this.#seller.call(`GET /company/sync?${query}`);
      for (const entry of page.rows())
        this.#replica.set(`${entry.text('type')} ${entry.number('id')}`, entry);
      this.#cursor = page.text('cursor');
      hasMore = page.flag('has_more');
    }
    return this.#replica.size;
  }

  /** Sells for cash at the replica's prices, and returns the amount paid. */
  sell(goods: Basket, sold_at: string): number {
    const products = goods.map(([product_id, sold_quantity]) => {
      return { product_id, sold_quantity, price: this.#priceOf(product_id) };
    });
    const amount = products.reduce((sum, each) => sum + each.price * each.sold_quantity, 0);
    const key = `kassa-1-${randomUUID()}`;
    const transactions = [{ payment_type: 'cash', amount }];
    const body = { ...this.#counter, currency: 'uzs', key, sold_at, products, transactions };
    this.#pending.push({ key, body });
    return amount;
  }

  /**
   * Uploads saved sales, and returns the outcome of each. Accepted and refused sales are removed; those
   * beyond the time limit, and all of them if the response is lost, are uploaded again.
   */
  async send({ isAnswerLost = false } = {}): Promise<readonly Reply[]> {
    const sales = this.#pending.slice(0, MAX_A_CALL).map(({ body }) => body);
    const rows = (await this.#seller.call(`POST ${SALE_ROUTE}/sync`, { sales })).rows();
    if (isAnswerLost) return [];
    const over = new Set(rows.filter((row) => row.number('status') !== 503).map((row) => row.text('key')));
    this.#pending = this.#pending.filter(({ key }) => !over.has(key));
    return rows;
  }

  #priceOf(id: number): number {
    const product = this.#replica.get(`product.product ${id}`);
    if (!product) throw new Error(`The replica has no product ${id}`);
    return product.number('record.sale_price') * this.#rateOf(product.text('record.sale_currency'));
  }

  #rateOf(currency: string): number {
    const entries = [...this.#replica.values()].filter(
      (each) => each.text('type') === 'cashbox.currency-rate',
    );
    return entries.find((each) => each.text('record.currency') === currency)?.number('record.rate') ?? 0;
  }
}
