import * as z from 'zod';
import { codeOrBlank, plainly } from '#lib/values/code.ts';
import { amount, Money } from '#lib/values/money.ts';
import { normalizeText } from '#lib/values/text.ts';

/*
 * A product's fields on a fiscal receipt: its code in the national catalogue (MXIK), the code of its package,
 * whether each piece has a tracking code, and its VAT rate. A service has all but tracking codes. Part 4,
 * 4.6, 4; Part 5, 5A.2, 1.
 */

/** Fields of a card, a product's or a service's. */
export const fiscalFieldsOfSold = {
  mxik: z.string().nullable().default(null),
  package_code: z.string().nullable().default(null),
  /** VAT within its price, in hundredths of a percent; null for the rate of the selling company. */
  vat_percent: Money.nullable().default(null),
};

/** Fields of a product's card. */
export const fiscalFields = {
  ...fiscalFieldsOfSold,
  is_marked: z.boolean().default(false),
};

const VatPercent = amount(0, 100);

/** Fields of a form. Absent fields, as in forms that predate them, are left unchanged; blank clears. */
export const fiscalInputOfSold = {
  mxik: plainly()
    .regex(/^(\d{17})?$/, { error: 'validation.wrong_format' })
    .nullish()
    .transform(nullIfBlank),
  package_code: codeOrBlank(20).nullish().transform(nullIfBlank),
  vat_percent: VatPercent.nullish(),
};

/** Fields of a product's form, likewise. */
export const fiscalInput = {
  ...fiscalInputOfSold,
  is_marked: z.boolean().optional(),
};

type FiscalForm = Partial<z.output<z.ZodObject<typeof fiscalInput>>>;

/** Words for yes and no in a workbook cell, in the languages of its readers. */
const BOOLEAN_WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 'true', 'yes', 'да', 'ha', 'ҳа'].map((word) => [word, true] as const),
  ...['0', 'false', 'no', 'нет', "yo'q", 'йўқ'].map((word) => [word, false] as const),
]);

/** The same as workbook cells; an empty one is absent. */
export const fiscalCells = {
  mxik: fiscalInput.mxik,
  package_code: fiscalInput.package_code,
  vat_percent: VatPercent.optional(),
  is_marked: z
    .string()
    .transform((cell, context) => {
      const flag = BOOLEAN_WORDS.get(normalizeText(cell));
      if (flag === undefined) context.addIssue({ code: 'custom', message: 'validation.not_yes_or_no' });
      return flag ?? z.NEVER;
    })
    .optional(),
};

function nullIfBlank(text: string | null | undefined): string | null | undefined {
  return text === '' ? null : text;
}

/** Returns these fields of a new product; absent ones are empty. */
export function fiscalOf({ is_marked = false, ...form }: FiscalForm) {
  return { ...fiscalOfSold(form), is_marked };
}

/** Returns those of a new service. */
export function fiscalOfSold({ mxik = null, package_code = null, vat_percent = null }: FiscalForm) {
  return { mxik, package_code, vat_percent };
}
