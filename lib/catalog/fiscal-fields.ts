import * as z from 'zod';
import { codeOrBlank, plainly } from '#lib/values/code.ts';
import { normalizeText } from '#lib/values/text.ts';

/*
 * A product's fields on a fiscal receipt: its code in the national catalogue (MXIK), the code of its package,
 * and whether each piece has a tracking code. Part 4, 4.6, 4.
 */

/** Fields of a card. */
export const fiscalFields = {
  mxik: z.string().nullable().default(null),
  package_code: z.string().nullable().default(null),
  is_marked: z.boolean().default(false),
};

/** Fields of its form. Absent fields, as in forms that predate them, are left unchanged; blank clears. */
export const fiscalInput = {
  mxik: plainly()
    .regex(/^(\d{17})?$/, { error: 'validation.wrong_format' })
    .nullish()
    .transform(nullIfBlank),
  package_code: codeOrBlank(20).nullish().transform(nullIfBlank),
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

/** Returns these fields of a new card; absent ones are empty. */
export function fiscalOf({ mxik = null, package_code = null, is_marked = false }: FiscalForm) {
  return { mxik, package_code, is_marked };
}
