import * as z from 'zod';
import { codeOrBlank, plainly } from '#lib/values/code.ts';
import { normalizeText } from '#lib/values/text.ts';

/*
 * What a fiscal receipt says of a product: its code in the national catalogue (MXIK), the code of its
 * package, and whether each piece bears a mark of its own. Part 4, 4.6, 4.
 */

/** The fields of a card. */
export const fiscalFields = {
  mxik: z.string().nullable().default(null),
  package_code: z.string().nullable().default(null),
  is_marked: z.boolean().default(false),
};

/** Fields of its form. Forms that know nothing of them leave them out, and they stay; blank is none. */
export const fiscalInput = {
  mxik: plainly()
    .regex(/^(\d{17})?$/, { error: 'validation.wrong_format' })
    .nullish()
    .transform(nullIfBlank),
  package_code: codeOrBlank(20).nullish().transform(nullIfBlank),
  is_marked: z.boolean().optional(),
};

type FiscalForm = Partial<z.output<z.ZodObject<typeof fiscalInput>>>;

/** Words by which a cell of a workbook says yes or no, in the languages of its readers. */
const SAID: ReadonlyMap<string, boolean> = new Map([
  ...['1', 'true', 'yes', 'да', 'ha', 'ҳа'].map((word) => [word, true] as const),
  ...['0', 'false', 'no', 'нет', "yo'q", 'йўқ'].map((word) => [word, false] as const),
]);

/** The same as cells of a workbook: an empty one is left out. */
export const fiscalCells = {
  mxik: fiscalInput.mxik,
  package_code: fiscalInput.package_code,
  is_marked: z
    .string()
    .transform((cell, context) => {
      const said = SAID.get(normalizeText(cell));
      if (said === undefined) context.addIssue({ code: 'custom', message: 'validation.not_yes_or_no' });
      return said ?? z.NEVER;
    })
    .optional(),
};

function nullIfBlank(text: string | null | undefined): string | null | undefined {
  return text === '' ? null : text;
}

/** Gives what a new card has of them: what its form leaves out says nothing. */
export function fiscalOf({ mxik = null, package_code = null, is_marked = false }: FiscalForm) {
  return { mxik, package_code, is_marked };
}
