import * as z from 'zod';
import { imageFile } from '#lib/files/images.ts';
import { Id, JsonStrings, optionalLine, optionalText, orNull, text } from '#lib/values/fields.ts';
import { amount, Currency } from '#lib/values/money.ts';
import { quantity } from '#lib/values/quantity.ts';

/** The largest number of a card's images. */
export const MOST_IMAGES = 10;

/** Fields of a card that forms and workbooks have alike. */
export const cardFields = {
  name: text(255),
  barcode: text(64),
  plu: optionalLine(64),
  description: optionalText(2000),
};

const Flag = z.boolean().default(false);

/** Input to make or edit a product. Decisions, 7, "Product". */
export const ProductInput = z
  .object({
    ...cardFields,
    category_id: Id,
    brand_id: orNull(Id),
    unit_id: Id,
    parent_id: orNull(Id),
    sale_price: amount(0.01),
    sale_currency: Currency,
    is_free_price: Flag,
    is_favorite: Flag,
    is_bundle_only: Flag,
    min_price: orNull(amount(0)),
    min_price_percent: orNull(amount(0, 10_000)),
    min_quantity: orNull(quantity(8, 0)),
    images: z.array(imageFile()).max(MOST_IMAGES).default([]),
    /** Keys or addresses of images to remove. */
    images_old_keys: JsonStrings.default([]),
  })
  .refine(({ parent_id, brand_id }) => parent_id !== null || brand_id !== null, {
    path: ['brand_id'],
    error: 'validation.required',
  })
  .refine(({ sale_price, min_price }) => min_price === null || min_price <= sale_price, {
    path: ['min_price'],
    error: 'product.min_above_price',
  });

export type ProductInput = z.output<typeof ProductInput>;
