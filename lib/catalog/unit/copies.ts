import { copiesOf, copyClaim } from '#lib/catalog/unit/copyable.ts';
import { everyFamily } from '#lib/people/company/families.ts';
import { insertMissing } from '#lib/records/missing-records.ts';
import { isAnyReferred } from '#lib/records/references.ts';
import { familyHome } from '#lib/table/keys.ts';
import { ownersOf } from '#lib/table/transaction/names.ts';
import type { Instant } from '#lib/values/time.ts';
import { units } from './unit.ts';

/**
 * Copies a template to families. A family that has a copy, or a unit of that name in some language, is passed
 * over, so doing this again is harmless.
 */
export async function copyTo(
  families: readonly number[],
  template: { readonly id: number },
  at: Instant,
): Promise<void> {
  await Promise.all(
    families.map((family) =>
      insertMissing(units, familyHome(family), copiesOf([template], units, family, at)),
    ),
  );
}

/**
 * Tells whether a product, deleted or not, has any family's copy of a template. Each family counts its own
 * products: one count for all would be an item that every product of the platform has to wait for.
 */
export async function isCopyInUse(templateId: number): Promise<boolean> {
  for await (const families of everyFamily()) {
    const homes = families.map(familyHome);
    const copies = await ownersOf(
      units.type,
      homes.map((home) => copyClaim(home, templateId)),
    );
    const held = homes.flatMap((home, index) => {
      const id = copies[index];
      return id === undefined ? [] : [{ type: units.type, home, id }];
    });
    if (await isAnyReferred(held)) return true;
  }
  return false;
}
