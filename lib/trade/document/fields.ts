import * as z from 'zod';
import { madeBy } from '#lib/auth/actor.ts';
import { ProductCard } from '#lib/catalog/card.ts';
import { CompanySummary } from '#lib/people/company/known.ts';
import { Colleague } from '#lib/people/user/colleague.ts';
import { distinct } from '#lib/values/fields.ts';
import { Quantity } from '#lib/values/quantity.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';

/** Fields of every document of goods, including optional embeds. */
export const documentFields = {
  id: z.int(),
  ...madeBy,
  company_id: z.int(),
  products_count: z.int(),
  created_at: Timestamp,
  updated_at: Timestamp,
  creator: Colleague.nullish(),
  company: CompanySummary.nullish(),
};

/** Fields of every document with a separate completion. */
export const completableFields = { ...documentFields, completed_at: Timestamp.nullable() };

/** Fields of a document's lines. */
export const lineFields = {
  id: z.int(),
  product_id: z.int(),
  quantity: Quantity,
  product: ProductCard.nullish(),
};

/** Returns the times of a new document. */
export function timesOf(at: Instant) {
  return { completed_at: null, created_at: at, updated_at: at };
}

/** Builds the schema of a body's lines: at most a thousand, with distinct products. */
export function linesInput<S extends z.ZodType<{ readonly product_id: number }>>(line: S) {
  return productList(line, 1000).min(1);
}

/** Builds the schema of a list of distinct products. */
export function productList<S extends z.ZodType<{ readonly product_id: number }>>(product: S, max: number) {
  return distinct('product_id', z.array(product).max(max));
}
