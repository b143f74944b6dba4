import * as z from 'zod';
import type { Tenant } from '#lib/table/keys.ts';
import type { UniqueConstraint } from '#lib/table/transaction/unique-constraints.ts';
import { barcodeToCompare, code } from '#lib/values/code.ts';
import { isBlank, lineOfText, optionalLine } from '#lib/values/fields.ts';
import { ONE, Quantity, quantity, type Units } from '#lib/values/quantity.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';

/*
 * Further barcodes of a product: other numbers of the same goods, and those of its packs. All barcodes of a
 * family share one namespace, `barcode` included. Part 5, 5A.12, 1.
 */

/** Limit of a product's further barcodes. */
const MAX_BARCODES = 20;

/** Further barcode, with the quantity that it stands for. */
export const Pack = z.object({ barcode: z.string(), quantity: Quantity, name: z.string().nullable() });

export type Pack = z.input<typeof Pack>;

/** Fields of a card; cards stored before them have none. */
export const barcodeFields = {
  barcodes: z.array(Pack).default([]),
  article: z.string().nullable().default(null),
};

/** Fields of its form. Absent fields, as in forms that predate them, are left unchanged. */
export const barcodeInput = {
  barcodes: z
    .array(z.object({ barcode: code(64), quantity: quantity(8).default(ONE), name: optionalLine(100) }))
    .max(MAX_BARCODES)
    .nullish()
    .transform((list) => (list === null ? [] : list)),
  article: lineOfText(64)
    .nullish()
    .transform((article) => (isBlank(article) ? null : article)),
};

/** Barcodes of a card. */
interface Barcoded {
  readonly barcode: string;
  readonly barcodes?: readonly Pack[] | undefined;
}

/** Returns these fields of a new card; absent ones are empty. */
export function barcodesOf({ barcodes, article }: Partial<Pick<Forms, 'barcodes' | 'article'>>) {
  return { barcodes: barcodes ?? [], article: article ?? null };
}

type Forms = z.output<z.ZodObject<typeof barcodeInput>>;

/** Returns the unique constraint of a barcode within the tenant, regardless of leading zeros. */
export function barcodeClaim(barcode: string, tenant: Tenant): UniqueConstraint {
  return { path: 'barcode', scope: tenant, text: barcodeToCompare(barcode) };
}

/** Returns the unique constraints of all barcodes of a card. */
export function barcodeClaims({ barcode, barcodes = [] }: Barcoded, tenant: Tenant): UniqueConstraint[] {
  return [
    barcodeClaim(barcode, tenant),
    ...barcodes.map((each, index) => ({
      ...barcodeClaim(each.barcode, tenant),
      reportedAt: `barcodes.${index}.barcode`,
    })),
  ];
}

/** Finds the further barcode of a card that equals one; undefined for its `barcode` and for any other. */
export function packOf({ barcodes = [] }: Barcoded, barcode: string): Pack | undefined {
  const sought = barcodeToCompare(barcode);
  return barcodes.find((each) => barcodeToCompare(each.barcode) === sought);
}

/**
 * Validates that the barcodes of a card differ. Issues are those of its further barcodes if the body has them
 * (`isSent`), else of `barcode`.
 */
export function checkOwnBarcodes(
  { barcode, barcodes = [] }: Barcoded,
  isSent: boolean,
  issues: ValidationIssues,
): void {
  const seen = new Set([barcodeToCompare(barcode)]);
  for (const [index, each] of barcodes.entries()) {
    const text = barcodeToCompare(each.barcode);
    if (seen.has(text)) issues.add(isSent ? `barcodes.${index}.barcode` : 'barcode', 'validation.duplicate');
    seen.add(text);
  }
}

/** Returns the quantity of a product for one of its barcodes. */
export function quantityOf(pack: Pack | undefined): Units {
  return pack?.quantity ?? ONE;
}
