import * as z from 'zod';
import { ScalePrefix } from '#lib/auth/account.ts';
import { distinct } from '#lib/values/fields.ts';

/*
 * Labels that scales print: barcodes of 13 digits which begin with a prefix of the scales. The product's code
 * and a value follow, together of ten digits, and the check digit. Part 5, 5A.12, 2.
 */

const MAX_PREFIXES = 10;

/** Digits of a label between its prefix and its check digit. */
const DIGITS = 10;

/** Scale settings of a family, those of its main company. */
export const ScaleSettings = z.array(ScalePrefix);

/** Input to edit them; they replace the present ones. */
export const ScaleSettingsInput = distinct(
  'prefix',
  z
    .array(
      z
        .object({
          prefix: z.string().regex(/^\d{2}$/, { error: 'validation.wrong_format' }),
          kind: ScalePrefix.shape.kind,
          code_digits: z
            .int()
            .min(1)
            .max(DIGITS - 1),
          value_digits: z
            .int()
            .min(1)
            .max(DIGITS - 1),
          decimals: z.int().min(0).max(8),
        })
        .refine(({ code_digits, value_digits }) => code_digits + value_digits === DIGITS, {
          path: ['value_digits'],
          error: 'company.label_digits',
        })
        .refine(({ decimals, value_digits }) => decimals <= value_digits, {
          path: ['decimals'],
          error: 'company.label_decimals',
        }),
    )
    .max(MAX_PREFIXES),
);
