import { randomUUID } from 'node:crypto';
import type { Person, Reply } from '../cli/person.ts';
import { type Basket, type Counter, SALE_ROUTE } from '../cli/trade.ts';

/** What a till copies: goods with their prices, and what currencies are worth. */
const TYPES = ['product.product', 'cashbox.currency-rate'];

/** Sales of one call at most. */
const MAX_A_CALL = 50;

/**
 * A till: it sells by its copy, network or not, writes down what it has sold before the customer goes, and
 * sends that when there is a network. A real one keeps both on its disk.
 */
export class OfflineTill {
  readonly #seller: Person;
  readonly #counter: Counter;
  readonly #copy = new Map<string, Reply>();
  #cursor = '';
  /** What is to be sent, the oldest first. */
  #kept: { readonly key: string; readonly body: object }[] = [];

  constructor(seller: Person, counter: Counter) {
    this.#seller = seller;
    this.#counter = counter;
  }

  /** Brings the copy up to date, and says how many records it has. */
  async load(): Promise<number> {
    for (let hasMore = true; hasMore; ) {
      const types = TYPES.map((type) => `types[]=${type}`).join('&');
      const query = this.#cursor === '' ? types : `cursor=${this.#cursor}`;
      const page = await this.#seller.call(`GET /company/sync?${query}`);
      for (const entry of page.rows()) this.#copy.set(`${entry.text('type')} ${entry.number('id')}`, entry);
      this.#cursor = page.text('cursor');
      hasMore = page.flag('has_more');
    }
    return this.#copy.size;
  }

  /** Sells for cash at the copy's prices, and says what was paid. */
  sell(goods: Basket, sold_at: string): number {
    const products = goods.map(([product_id, sold_quantity]) => {
      return { product_id, sold_quantity, price: this.#priceOf(product_id) };
    });
    const amount = products.reduce((sum, each) => sum + each.price * each.sold_quantity, 0);
    const key = `kassa-1-${randomUUID()}`;
    const transactions = [{ payment_type: 'cash', amount }];
    const body = { ...this.#counter, currency: 'uzs', key, sold_at, products, transactions };
    this.#kept.push({ key, body });
    return amount;
  }

  /**
   * Sends what is kept, and gives what became of each. It forgets what is in the books and what the service
   * keeps; what the time did not reach, and all of it if the answer is lost, is sent again.
   */
  async send({ isAnswerLost = false } = {}): Promise<readonly Reply[]> {
    const sales = this.#kept.slice(0, MAX_A_CALL).map(({ body }) => body);
    const rows = (await this.#seller.call(`POST ${SALE_ROUTE}/sync`, { sales })).rows();
    if (isAnswerLost) return [];
    const over = new Set(rows.filter((row) => row.number('status') !== 503).map((row) => row.text('key')));
    this.#kept = this.#kept.filter(({ key }) => !over.has(key));
    return rows;
  }

  #priceOf(id: number): number {
    const product = this.#copy.get(`product.product ${id}`);
    if (!product) throw new Error(`The copy has no product ${id}`);
    return product.number('record.sale_price') * this.#rateOf(product.text('record.sale_currency'));
  }

  #rateOf(currency: string): number {
    const entries = [...this.#copy.values()].filter((each) => each.text('type') === 'cashbox.currency-rate');
    return entries.find((each) => each.text('record.currency') === currency)?.number('record.rate') ?? 0;
  }
}
