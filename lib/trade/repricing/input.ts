import * as z from 'zod';
import { Rounding } from '#lib/catalog/repricing/record.ts';
import { RequiredExternalId } from '#lib/records/external-id.ts';
import { code } from '#lib/values/code.ts';
import { distinct, Id, orNull } from '#lib/values/fields.ts';
import { amount, Currency } from '#lib/values/money.ts';
import { TimestampField } from '#lib/values/time.ts';

/** Rows that can be changed in twenty seconds. Contract 9.34. */
const MAX_ROWS = 10_000;

/** Alternative references to a row's product, exactly one per row. Part 4, 4.3. */
const NAMES = {
  product_id: Id.nullish(),
  barcode: code(64).nullish(),
  external_id: RequiredExternalId.nullish(),
};

/** Fields of the card's minimum. */
const MINIMUM = ['min_price', 'min_price_percent'] as const;

type Minimum = (typeof MINIMUM)[number];

const Naming = z.looseObject({
  product_id: z.unknown().optional(),
  barcode: z.unknown().optional(),
  external_id: z.unknown().optional(),
});

/** Returns the fields in which a row references its product. */
export function fieldsNaming(row: unknown): (keyof typeof NAMES)[] {
  const { product_id, barcode, external_id } = Naming.safeParse(row).data ?? {};
  return [
    ...(isGiven(product_id) ? ['product_id' as const] : []),
    ...(isGiven(barcode) ? ['barcode' as const] : []),
    ...(isGiven(external_id) ? ['external_id' as const] : []),
  ];
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined;
}

/** Checks whether a row references its product by this field in addition to an earlier one. */
function isNamedBefore(row: unknown, field: keyof typeof NAMES): boolean {
  return fieldsNaming(row).indexOf(field) > 0;
}

/** Builds a list schema in which each reference is unique among the rows of a price type. */
function distinctNames<S extends z.ZodType<Record<string, unknown>[]>>(rows: S) {
  const type = 'price_type_id';
  return distinct('product_id', distinct('barcode', distinct('external_id', rows, type), type), type);
}

/** Refuses the minimum in a row that sets a price by type, which has none of its own. */
function refuseMinimumOfType(
  row: { readonly price_type_id?: number | null | undefined } & Readonly<Record<Minimum, unknown>>,
  context: z.RefinementCtx,
): void {
  if (!isGiven(row.price_type_id)) return;
  for (const field of MINIMUM) {
    if (isGiven(row[field]))
      context.addIssue({ code: 'custom', message: 'repricing.minimum_of_type', path: [field] });
  }
}

/** Input to reprice products. Part 2, "Repricing batches". */
export const RepricingInput = z.object({
  company_id: Id,
  rounding_type: orNull(Rounding),
  /** New rate of the dollar. */
  currency_rate: orNull(amount(1)),
  /** Time from which the prices apply; null for now. Part 5, 5A.14, 3. */
  starts_at: orNull(TimestampField),
  products: distinctNames(
    z
      .array(
        z
          .object({
            ...NAMES,
            /** Type whose price the row sets; null for `sale_price`. Part 5, 5A.14, 2. */
            price_type_id: Id.nullish(),
            sale_price: amount(0.01),
            sale_currency: Currency,
            markup_percent: orNull(amount(0.01)),
            price_without_rounding: orNull(amount(0.01)),
            /** Price assumed by the client; the batch records the actual one. */
            previous_price: orNull(amount(0.01)),
            min_price: orNull(amount(0)),
            min_price_percent: orNull(amount(0, 10_000)),
          })
          .refine((row) => fieldsNaming(row).length > 0, {
            error: 'validation.required',
            path: ['product_id'],
            when: () => true,
          })
          .refine((row) => !isNamedBefore(row, 'barcode'), {
            error: 'product.id_and_name',
            path: ['barcode'],
            when: () => true,
          })
          .refine((row) => !isNamedBefore(row, 'external_id'), {
            error: 'product.id_and_name',
            path: ['external_id'],
            when: () => true,
          })
          .superRefine(refuseMinimumOfType),
      )
      .min(1)
      .max(MAX_ROWS),
  ),
});

export type RepricingInput = z.output<typeof RepricingInput>;
