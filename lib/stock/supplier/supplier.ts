import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { familyEmbeds, familyFilters, familyRecordFields } from '#lib/people/family-record.ts';
import {
  externalIdConstraints,
  externalIdField,
  externalIdFilter,
  externalIdInput,
} from '#lib/records/external-id.ts';
import {
  addition,
  areZero,
  BALANCE_TOO_LARGE,
  type Counters,
  canChangeCounters,
  counterEmbed,
  counterKey,
  counterWrites,
  VERSION_INCREMENT,
} from '#lib/records/links/counters.ts';
import { type PatchFields, patchOf } from '#lib/records/patch.ts';
import { sameTenantReference } from '#lib/records/query/embeds.ts';
import { substring } from '#lib/records/query/filters.ts';
import { phone } from '#lib/records/query/phone-filters.ts';
import { searchFilter } from '#lib/records/query/search-filter.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofFamily, recordsOf } from '#lib/records/records-of.ts';
import { isPresent } from '#lib/records/stored.ts';
import { update, type Write } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { absent, all, any, equals } from '#lib/table/expression.ts';
import type { Key, SearchField, Tenant } from '#lib/table/keys.ts';
import { badRequest, invalid } from '#lib/values/api-error.ts';
import { orNull, Phone, text } from '#lib/values/fields.ts';
import { uniqueName } from '#lib/values/localized.ts';
import { Currency, type MinorUnits, Sums } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';

/** Supplier of goods, with balances. Contract 7, "Supplier". */
export const Supplier = z.object({
  ...familyRecordFields,
  ...externalIdField,
  name: z.string(),
  phone: z.string().nullable(),
  /** Days from a receipt to its payment; null without an agreement. */
  payment_days: z.int().nullable().default(null),
  balances: Sums.optional(),
});

/** Input to create or edit a supplier. */
export const SupplierInput = z.object({
  name: text(255),
  phone: orNull(Phone),
  payment_days: orNull(z.int().min(0).max(365)),
  ...externalIdInput,
});

/** Counters of supplier balances. */
export const SUPPLIER_BALANCES: Counters = {
  of: 'supplier',
  names: Currency.options,
  mayGo: { if: areZero(Currency.options), otherwise: badRequest('supplier.has_balance') },
};

/** Searched fields of suppliers. Part 5, 5B.1, 1. */
const SEARCH: readonly SearchField[] = [
  { field: 'name', as: 'name' },
  { field: 'phone', as: 'phone' },
  { field: 'external_id', as: 'external' },
];

/** Record type of suppliers. */
export const suppliers: RecordType<typeof Supplier> = {
  type: 'supplier',
  copied: 'stock.supplier',
  schema: Supplier,
  filters: {
    ...familyFilters,
    ...externalIdFilter,
    name: substring('name'),
    phone: phone('phone'),
    search: searchFilter(SEARCH),
  },
  search: SEARCH,
  sorts: ['id', 'name'],
  embeds: familyEmbeds,
  ...uniqueName,
  names: (supplier, tenant) => [
    ...uniqueName.names(supplier, tenant),
    ...externalIdConstraints(supplier, tenant),
  ],
  alsoWrites: (tenant, before, after) => counterWrites(SUPPLIER_BALANCES, tenant, before, after),
};

/** `with[]=supplier`: supplier referenced by a record. */
export const supplierEmbed = sameTenantReference('supplier', suppliers.type);

const records = recordsOf(suppliers, {
  ...ofFamily,
  alwaysEmbeds: (tenant) => [
    counterEmbed(SUPPLIER_BALANCES, tenant, 'balances', (sums) =>
      Object.fromEntries(Currency.options.map((currency) => [currency, sums[currency]])),
    ),
  ],
});

/**
 * Operations on the family's suppliers: list, get, create, edit, delete, restore. A new one has zero
 * balances. 422 on a duplicate name; 400 to delete one with a balance in any currency. Contract 9.118.
 */
export const {
  WorkbookList: List,
  Embeds,
  list,
  listBare,
  get,
  create,
  edit,
  remove,
  restore,
  keyOf,
  ifVisible,
} = records;

const Patch = patchOf(Supplier, SupplierInput);

/** Body that changes some fields of a supplier. Part 5, 5B.10. */
export const SupplierPatch = Patch.Body;

/** Edits the fields of a supplier that a body has. 422 as of an edit. */
export function patch(actor: Staff, id: number, fields: PatchFields, at: Instant) {
  return records.patch(actor, id, (before) => Patch.complete(before, fields), at);
}

/** Change of a supplier's payable: received goods add to it, a payment reduces it. */
export interface PayableChange {
  readonly currency: Currency;
  readonly change: MinorUnits;
}

/** Returns the key of a supplier's balances. */
export function supplierBalancesKey(tenant: Tenant, id: number): Key {
  return counterKey(SUPPLIER_BALANCES, tenant, id);
}

/** Checks whether a supplier's balances, as read, stay within their limits. */
export function canChangePayable(sums: Item | undefined, { currency, change }: PayableChange): boolean {
  return sums !== undefined && canChangeCounters({ [currency]: change }).matches(sums);
}

/**
 * Requires that a payable can change so: 400 if the supplier is gone, 422 on the path if the balance would
 * exceed its limits.
 */
export function requirePayableChange(sums: Item | undefined, owed: PayableChange, path: string): void {
  if (!isPresent(sums)) throw badRequest('supplier.gone');
  if (!canChangePayable(sums, owed)) throw invalid({ [path]: BALANCE_TOO_LARGE });
}

/** Returns the id of a supplier's opening balance that counts, in a currency; null if none. */
export function openingIn(sums: Item, currency: Currency): unknown {
  return sums[openingName(currency)] ?? null;
}

/**
 * Builds the write that changes a supplier's payable by an opening balance, which is remembered, or by its
 * reversal, which makes room for another. `Contention` if the supplier's present one is another than read.
 */
export function openingWrite(
  tenant: Tenant,
  id: number,
  { currency, change }: PayableChange,
  { before, after }: Readonly<Record<'before' | 'after', number | null>>,
): Write {
  const name = openingName(currency);
  const isAsRead = before === null ? any([absent(name), equals(name, null)]) : equals(name, before);
  return update(
    supplierBalancesKey(tenant, id),
    { add: { [currency]: change, ...VERSION_INCREMENT }, set: { [name]: after } },
    { if: all([canChangeCounters({ [currency]: change }), isAsRead]) },
  );
}

function openingName(currency: Currency): string {
  return `opening_${currency}`;
}

/**
 * Builds the write that changes a supplier's payable; the caller has checked `canChangePayable`. `Contention`
 * if it no longer holds.
 */
export function payableWrite(tenant: Tenant, id: number, { currency, change }: PayableChange): Write {
  return addition(SUPPLIER_BALANCES, tenant, id, { [currency]: change });
}
