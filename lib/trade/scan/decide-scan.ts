import { type Pack, packOf, quantityOf } from '#lib/catalog/barcodes.ts';
import { priceLines } from '#lib/trade/pricing/lines.ts';
import type { Pricing, ProductForSale } from '#lib/trade/pricing/price.ts';
import { type MinorUnits, roundHalfUp } from '#lib/values/money.ts';
import { ONE, type Units } from '#lib/values/quantity.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { labelValue, type ScaleLabel } from './label.ts';

/** Product that a scanned code may mean; of several the first counts. Part 5, 5A.12, 3. */
export interface ScanCandidate {
  readonly by: 'barcode' | 'label' | 'mark' | 'plu';
  readonly product: ProductForSale;
}

/** Facts that decide a scan. */
export interface ScanFacts {
  readonly code: string;
  readonly candidates: readonly ScanCandidate[];
  readonly label: ScaleLabel | undefined;
  readonly pricing: Pricing;
  /** Decimals of a product's unit; needed for labels with a price. */
  readonly accuracyOf: (product: ProductForSale) => number;
}

/** Goods that a scanner has read. */
export interface ScannedGoods {
  readonly kind: 'barcode' | 'pack' | ScaleLabel['kind'] | 'mark' | 'plu';
  readonly product: ProductForSale;
  readonly pack: Pack | null;
  readonly quantity: Units | null;
  readonly price: MinorUnits | null;
  readonly amount: MinorUnits | null;
  readonly label_amount: MinorUnits | null;
}

const DECIMALS_OF_QUANTITY = 8;
const DECIMALS_OF_MONEY = 2;

/** Decides the meaning of a scanned code; undefined if nothing fits. */
export function decideScan(facts: ScanFacts): ScannedGoods | undefined {
  const { code, candidates, label, pricing } = facts;
  const found = candidates.find(({ product }) => !product.is_deleted);
  if (!found) return undefined;
  const { by, product } = found;
  if (by === 'label' && label) return readLabel(product, label, facts);
  const pack = by === 'barcode' ? packOf(product, code) : undefined;
  const quantity = quantityOf(pack);
  const isPack = pack !== undefined && quantity !== ONE;
  return {
    kind: by === 'plu' || by === 'mark' ? by : isPack ? 'pack' : 'barcode',
    product,
    pack: pack && isPack ? pack : null,
    quantity,
    ...saleOf(product, quantity, pricing),
    label_amount: null,
  };
}

function readLabel(product: ProductForSale, label: ScaleLabel, facts: ScanFacts): ScannedGoods {
  const { pricing, accuracyOf } = facts;
  const { kind } = label;
  if (kind !== 'price') {
    const quantity = labelValue(label, DECIMALS_OF_QUANTITY);
    return { kind, product, pack: null, quantity, ...saleOf(product, quantity, pricing), label_amount: null };
  }
  const label_amount = labelValue(label, DECIMALS_OF_MONEY);
  const { price } = saleOf(product, ONE, pricing);
  const quantity = price ? quantityFor(label_amount, price, accuracyOf(product)) : null;
  const { amount } = quantity ? saleOf(product, quantity, pricing) : { amount: null };
  return { kind, product, pack: null, quantity, price, amount, label_amount };
}

/** Divides an amount by a price, half up to the decimals of the unit. */
function quantityFor(amount: MinorUnits, price: MinorUnits, accuracy: number): Units {
  const steps = roundHalfUp(BigInt(amount) * 10n ** BigInt(accuracy), BigInt(price));
  return Number(steps) * 10 ** (DECIMALS_OF_QUANTITY - accuracy);
}

/** Prices a quantity as a sale does now; nulls if a sale would refuse it. */
function saleOf(product: ProductForSale, sold_quantity: Units, pricing: Pricing) {
  const issues = new ValidationIssues();
  const offers = { products: new Map([[product.id, product]]), bundles: new Map(), pricing };
  const requested = { products: [{ product_id: product.id, sold_quantity, discount: 0 }], bundles: [] };
  const [line] = priceLines(requested, offers, issues);
  return line && !issues.areAny ? { price: line.price, amount: line.amount } : { price: null, amount: null };
}
