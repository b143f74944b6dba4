import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { ChosenSaleSettings, saleSettingsOf } from '#lib/people/company/sale-settings.ts';
import { parseStored } from '#lib/records/stored.ts';
import { keyIfAny, PLATFORM, recordKey } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { ONE, type Units } from '#lib/values/quantity.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import { ProductCard, products } from './card.ts';
import { Unit, units } from './unit/unit.ts';

/** Requested quantity, with its path in the body. */
export interface Measured {
  readonly product_id: number;
  readonly quantity: Units;
  readonly path: string;
  /** Quantities available in a stock level, batch or hold; taking all of one is always allowed. */
  readonly remainders?: readonly Units[];
}

/** Decimal places of the smallest quantity. */
const MAX_DIGITS = 8;

/** Decimal places by product; products without an entry may have all of them. */
export type Accuracies = ReadonlyMap<number, number>;

/**
 * Validates that no quantity has more decimal places than its product's unit, if the family requires it;
 * violations go to `issues`. Round trips as in `readAccuracies`. Contract 9.112.
 */
export async function checkAccuracy(
  actor: Staff,
  lines: readonly Measured[],
  issues: ValidationIssues,
): Promise<void> {
  checkDecimals(lines, await readAccuracies(actor, lines), issues);
}

/**
 * Reads the accuracies that `checkDecimals` needs for these quantities; none if the family does not validate
 * them. Whole pieces need none, so most calls read nothing. Two round trips if there are fractions to
 * validate, one if their cards are known.
 */
export async function readAccuracies(
  actor: Staff,
  lines: readonly Measured[],
  known: ReadonlyMap<number, { readonly unit_id: number }> = new Map(),
): Promise<Accuracies> {
  const fractions = fractionsOf(lines);
  if (fractions.length === 0 || !(await isAccuracyChecked(actor))) return new Map();
  const digits = await digitsOf(actor, fractions, known);
  return new Map(fractions.map(({ product_id }, index) => [product_id, digits[index] ?? MAX_DIGITS]));
}

/** Validates that no quantity has more decimal places than these; violations go to `issues`. */
export function checkDecimals(
  lines: readonly Measured[],
  accuracies: Accuracies,
  issues: ValidationIssues,
): void {
  for (const { product_id, quantity, path } of fractionsOf(lines)) {
    const max = accuracies.get(product_id) ?? MAX_DIGITS;
    const isExact = quantity % 10 ** (MAX_DIGITS - max) === 0;
    if (!isExact) issues.add(path, { key: 'validation.too_many_decimals', with: { max } });
  }
}

function fractionsOf(lines: readonly Measured[]): readonly Measured[] {
  return lines.filter(
    ({ quantity, remainders = [] }) => quantity % ONE !== 0 && !remainders.includes(quantity),
  );
}

/** Reads the accuracy of each line's unit; undefined if the product does not exist. */
async function digitsOf(
  { tenant }: Staff,
  lines: readonly Measured[],
  known: ReadonlyMap<number, { readonly unit_id: number }>,
): Promise<(number | undefined)[]> {
  const cards = await getItems(
    lines.map(({ product_id: id }) => (known.has(id) ? undefined : recordKey(products.type, tenant, id))),
  );
  const unitIds = lines.map(({ product_id }, index) => {
    const card = known.get(product_id) ?? (cards[index] && parseStored(ProductCard, cards[index]));
    return card?.unit_id;
  });
  const items = await getItems(
    unitIds.map((unitId) => keyIfAny(unitId, (id) => recordKey(units.type, tenant, id))),
  );
  return items.map((item) => item && parseStored(Unit, item).accuracy);
}

const MainCompany = z.object({ sale_settings: ChosenSaleSettings.optional() });

/**
 * Checks whether the family validates quantities: from the caller's settings, or if not loaded yet, from the
 * family's record.
 */
async function isAccuracyChecked({ saleSettings, familyId }: Staff): Promise<boolean> {
  if (saleSettings) return saleSettingsOf({ sale_settings: saleSettings }).is_accuracy_checked;
  const item = await getItem(recordKey('company', PLATFORM, familyId));
  return saleSettingsOf(item ? parseStored(MainCompany, item) : {}).is_accuracy_checked;
}
