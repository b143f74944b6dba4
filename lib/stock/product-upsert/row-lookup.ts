import type { Staff } from '#lib/auth/actor.ts';
import { barcodeClaim } from '#lib/catalog/barcodes.ts';
import { brands } from '#lib/catalog/brand.ts';
import { Product, products } from '#lib/catalog/card.ts';
import { categories } from '#lib/catalog/category.ts';
import { units } from '#lib/catalog/unit/unit.ts';
import { externalIdConstraint } from '#lib/records/external-id.ts';
import { isPresent, parseRecord, type Stored } from '#lib/records/stored.ts';
import { keyIfAny, recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import {
  ownerIn,
  type UniqueConstraint,
  uniqueConstraintKey,
} from '#lib/table/transaction/unique-constraints.ts';
import { plainCode } from '#lib/values/code.ts';
import { FIELD_OF_NAME, type RowTarget, type SyncRow } from './row.ts';

/** Stored data of a row. */
export interface RowLookup {
  /**
   * Existing product, deleted or not: by external id, else by barcode if its product has no other external
   * id.
   */
  readonly before: Stored<typeof Product> | undefined;
  /** Id of the product with the row's barcode. */
  readonly barcodeOwner: number | undefined;
  /**
   * Records referenced by name instead of id: null for an empty name, undefined if not found. The product's
   * present ones are found even if they are deleted, as by their ids.
   */
  readonly named: readonly {
    readonly name: keyof typeof FIELD_OF_NAME;
    readonly field: string;
    readonly id: number | null | undefined;
  }[];
}

/** Types of the referenced records, with the unique constraint of each. */
const NAMED = {
  category_external_id: { type: categories.type, claim: externalIdConstraint },
  brand_name: { type: brands.type, claim: nameClaim },
  unit_external_id: { type: units.type, claim: externalIdConstraint },
  parent_external_id: { type: products.type, claim: externalIdConstraint },
} as const;

const NAMES = ['category_external_id', 'brand_name', 'unit_external_id', 'parent_external_id'] as const;

/** Reads everything that a row refers to. Two round trips. */
export async function lookUpRow({ tenant }: Staff, row: SyncRow, target: RowTarget): Promise<RowLookup> {
  const { external_id, barcode } = row;
  const names = NAMES.flatMap((name) => {
    const text = target[name];
    return text === undefined ? [] : [{ name, text }];
  });
  const [known, ofBarcode, ...named] = (
    await getItems([
      uniqueConstraintKey(products.type, externalIdConstraint(external_id, tenant)),
      typeof barcode === 'string' && barcode !== ''
        ? uniqueConstraintKey(products.type, barcodeClaim(plainCode(barcode), tenant))
        : undefined,
      ...names.map(({ name, text }) => claimOfName(name, text, tenant)),
    ])
  ).map(ownerIn);
  const [own, holder, ...records] = await getItems([
    keyIfAny(known, (id) => recordKey(products.type, tenant, id)),
    keyIfAny(ofBarcode, (id) => recordKey(products.type, tenant, id)),
    ...names.map(({ name }, index) =>
      keyIfAny(named[index], (id) => recordKey(NAMED[name].type, tenant, id)),
    ),
  ]);
  const taken = known === undefined ? unlessOfOther(external_id, holder) : undefined;
  const before = own ? parseRecord(Product, own) : taken;
  return {
    before,
    barcodeOwner: ofBarcode,
    named: names.map(({ name, text }, index) => {
      const field = FIELD_OF_NAME[name];
      const isKnown = isPresent(records[index]) || named[index] === before?.[field];
      return { name, field, id: text === null ? null : isKnown ? named[index] : undefined };
    }),
  };
}

/**
 * Returns the product with the row's barcode unless it has another external id. It may have the row's own:
 * constraints are not read as one snapshot, so a concurrent call may have created it in between.
 */
function unlessOfOther(externalId: string, item: unknown): Stored<typeof Product> | undefined {
  const product = item === undefined ? undefined : parseRecord(Product, item);
  const { external_id = null } = product ?? {};
  return external_id === null || external_id === externalId ? product : undefined;
}

function claimOfName(name: keyof typeof NAMED, text: string | null, tenant: Tenant) {
  return text === null ? undefined : uniqueConstraintKey(NAMED[name].type, NAMED[name].claim(text, tenant));
}

function nameClaim(text: string, tenant: Tenant): UniqueConstraint {
  return { path: 'name', scope: tenant, text };
}
