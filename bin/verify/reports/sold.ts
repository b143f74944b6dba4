import { firstPaymentsOf, type Sale, type SaleLine, type StoredSale } from '#lib/trade/sale/record.ts';
import type { ReturnedLine, SaleReturn } from '#lib/trade/sale/returns-of.ts';
import type { StoredSaleTender } from '#lib/trade/sale-tender/record.ts';
import type { MinorUnits, PaymentType } from '#lib/values/money.ts';
import { type Day, dayOf, type Instant } from '#lib/values/time.ts';
import type { VatTuple } from '#lib/values/vat.ts';
import { ReportSums } from './frame.ts';

type Place = Pick<Sale, 'cashbox_id' | 'currency' | 'creator_id' | 'company_id'>;

/** Place at which goods count: a desk, and all desks of its company. */
type GoodsPlace = Pick<Sale, 'company_id' | 'stock_id' | 'cashbox_id' | 'currency'>;

/** Counted goods of a line. */
type Goods = Pick<ReturnedLine, 'amount' | 'cost'> & { readonly quantity: number };

/** Figures of a desk that only grow; its payments are corrected, too. */
const OF_DESKS = new Set(['sold count', 'sold sold', 'sold discount', 'returned count', 'returned returned']);

/** Sums of sales and returns from their lines and payments, to compare with their reports. */
export class SoldSums {
  /** Figures by desk, day, currency, user and company; and by desk and currency, except for costs. */
  readonly sales = new ReportSums();
  /** Payments by desk and currency, and corrections of them by desk, day, currency, user and company. */
  readonly paid = new ReportSums();
  /** Figures by place, day, product and currency; and quantities by product and currency. */
  readonly goods = new ReportSums();
  /** Amounts and VAT by desk, day, currency, company and rate. */
  readonly vat = new ReportSums();
  readonly days = new Set<Day>();
  /** Warehouses of sales: goods taken back by an exchange count in its new sale's. */
  readonly #stocks = new Map<number, number>();
  readonly #exchanged: { readonly sale: Sale; readonly made: SaleReturn; readonly newSaleId: number }[] = [];

  addSale(sale: StoredSale, lines: readonly SaleLine[]): void {
    const { id, sold_at, stock_id, sold_amount, exchanged_amount, change_amount = 0 } = sale;
    const { services = [], vat = [[null, sold_amount, 0]] } = sale;
    this.#stocks.set(id, stock_id);
    this.#addToDesk(sale, sold_at, [
      ['sold count', 1],
      ['sold sold', sold_amount],
      ['sold exchange', exchanged_amount],
      ['sold cash', -change_amount],
      ...firstPaymentsOf(sale).map((paid) => [`sold ${paid.payment_type}`, paid.counted_amount] as const),
      ...[...lines, ...services].flatMap(({ cost, discount }) => [
        ['sold cost', cost] as const,
        ['sold discount', discount] as const,
      ]),
    ]);
    this.#addVat(sale, sold_at, 'sold', vat);
    for (const line of services)
      this.#addGoods(sale, sold_at, 'sold', { ...line, thing: `service ${line.service_id}` });
    for (const line of lines)
      this.#addProduct(sale, sold_at, 'sold', { ...line, quantity: line.sold_quantity });
  }

  /** Adds a correction of payment types, with what each gained. */
  addTender(
    { cashbox_id, currency, company_id, sale_creator_id: creator_id, created_at }: StoredSaleTender,
    changes: readonly { readonly way: PaymentType; readonly sum: number }[],
  ): void {
    const place = { cashbox_id, currency, company_id, creator_id };
    const day = dayOf(created_at);
    this.days.add(day);
    for (const { way, sum } of changes) {
      this.paid.add(nameOfSold(place, day), `${way} ${sum > 0 ? 'gained' : 'lost'}`, Math.abs(sum));
      this.paid.add(nameOfDesk(place), `sold ${way}`, sum);
    }
  }

  addReturn(sale: Sale, made: SaleReturn): void {
    const { currency, company_id } = sale;
    this.#addToDesk({ ...made, currency, company_id }, made.created_at, [
      ['returned count', 1],
      ['returned returned', made.amount],
      ...[...made.products, ...(made.services ?? [])].map(({ cost }) => ['returned cost', cost] as const),
    ]);
    const { vat = [[null, made.amount, 0]] } = made;
    this.#addVat({ ...made, currency, company_id }, made.created_at, 'returned', vat);
    if (made.exchange_sale_id === null) this.#addReturned(sale, made, made.stock_id);
    else this.#exchanged.push({ sale, made, newSaleId: made.exchange_sale_id });
  }

  /** Adds goods taken back by exchanges, once all sales are known. */
  end(): void {
    for (const { sale, made, newSaleId } of this.#exchanged.splice(0)) {
      this.#addReturned(sale, made, this.#stocks.get(newSaleId) ?? made.stock_id);
    }
  }

  #addReturned({ company_id, currency }: Sale, { cashbox_id, ...made }: SaleReturn, stock_id: number): void {
    const place = { company_id, currency, cashbox_id, stock_id };
    for (const line of made.products) {
      this.#addProduct(place, made.created_at, 'returned', { ...line, quantity: line.returned_quantity });
    }
    for (const line of made.services ?? []) {
      const service = { ...line, quantity: line.returned_quantity, thing: `service ${line.service_id}` };
      this.#addGoods(place, made.created_at, 'returned', service);
    }
  }

  #addToDesk(place: Place, at: Instant, figures: readonly (readonly [figure: string, sum: number])[]): void {
    const day = dayOf(at);
    this.days.add(day);
    for (const [figure, sum] of figures) {
      this.sales.add(nameOfSold(place, day), figure, sum);
      if (OF_DESKS.has(figure)) this.sales.add(nameOfDesk(place), figure, sum);
      // The report's cost of a desk is the difference of both, which may fall.
      else if (!figure.endsWith(' cost')) this.paid.add(nameOfDesk(place), figure, sum);
    }
  }

  #addVat(place: Place, at: Instant, side: 'sold' | 'returned', totals: readonly VatTuple[]): void {
    for (const [vat_percent, amount, vat_amount] of totals) {
      const name = nameOfVat(place, dayOf(at), vat_percent);
      this.vat.add(name, `${side} amount`, amount);
      this.vat.add(name, `${side} vat`, vat_amount);
    }
  }

  #addProduct(
    place: GoodsPlace,
    at: Instant,
    side: 'sold' | 'returned',
    { product_id, ...goods }: Goods & Pick<ReturnedLine, 'product_id'>,
  ): void {
    this.#addGoods(place, at, side, { ...goods, thing: `product ${product_id}` });
    this.goods.add(nameOfProduct(product_id, place.currency), `${side} quantity`, goods.quantity);
  }

  #addGoods(
    place: GoodsPlace,
    at: Instant,
    side: 'sold' | 'returned',
    goods: Goods & { readonly thing: string },
  ): void {
    const { company_id: company, stock_id: stock, cashbox_id: desk, currency } = place;
    const { thing, quantity, amount, cost } = goods;
    for (const each of [
      { company, stock, desk },
      { company, stock },
    ]) {
      const name = nameOfGoods(each, dayOf(at), thing, currency);
      for (const [figure, sum] of Object.entries({ quantity, amount, cost })) {
        this.goods.add(name, `${side} ${figure}`, sum);
      }
    }
  }
}

/** Returns the row name of a desk, day, currency, user and company. */
export function nameOfSold({ creator_id, company_id, ...place }: Place, day: Day): string {
  return `${nameOfDesk(place)}, ${day}, user ${creator_id}, company ${company_id}`;
}

/** Returns the row name of a desk, day, currency, company and VAT rate. */
export function nameOfVat(
  { company_id, ...place }: Omit<Place, 'creator_id'>,
  day: Day,
  percent: MinorUnits | null,
): string {
  return `${nameOfDesk(place)}, ${day}, company ${company_id}, VAT ${percent}`;
}

/** Returns the row name of a desk and currency. */
export function nameOfDesk({ cashbox_id, currency }: Pick<Place, 'cashbox_id' | 'currency'>): string {
  return `desk ${cashbox_id}, ${currency}`;
}

/** Returns the row name of a day's goods or services, at a desk or at all desks of a company. */
export function nameOfGoods(
  {
    company,
    stock,
    desk,
  }: { readonly company: number; readonly stock: number; readonly desk?: number | undefined },
  day: Day,
  thing: string,
  currency: string,
): string {
  const place = `company ${company}, warehouse ${stock}, ${desk === undefined ? 'all desks' : `desk ${desk}`}`;
  return `${thing}, ${currency}, ${day}, ${place}`;
}

/** Returns the row name of a product and currency. */
export function nameOfProduct(product: number | string | null, currency: string): string {
  return `product ${product}, ${currency}`;
}
