import * as z from 'zod';
import { linesInput } from '#lib/trade/document/fields.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { Id, optionalText, orNull, text } from '#lib/values/fields.ts';
import { quantity } from '#lib/values/quantity.ts';
import { WriteOffReason } from './record.ts';

/** Input to create or edit a write-off. Part 2, "Write-offs". */
export const WriteOffInput = z.object({
  source_type: enumeration('writeoff.source_type', ['stock', 'purchase']),
  source_id: Id,
  name: text(255),
  products: linesInput(
    z.object({
      /** Existing line, in an edit. */
      id: orNull(Id),
      product_id: Id,
      /** Batch; negative for a merged one. */
      source_product_id: z.int(),
      quantity: quantity(4),
      reason: WriteOffReason,
      comment: optionalText(1000),
    }),
  ),
});

export type WriteOffInput = z.output<typeof WriteOffInput>;
