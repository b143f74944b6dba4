import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { familyEmbeds, familyFilters, familyIndexes, familyRecordFields } from '#lib/people/family-record.ts';
import { type Balances, balanceEmbed, balanceKey, balanceWrites } from '#lib/records/balances.ts';
import { neighbour } from '#lib/records/embeds.ts';
import { familyRecords } from '#lib/records/family-records.ts';
import { exact, substring } from '#lib/records/filters.ts';
import { embedQuery, listQuery } from '#lib/records/list-query.ts';
import type { RecordType } from '#lib/records/record.ts';
import { equals } from '#lib/table/expression.ts';
import type { Home } from '#lib/table/keys.ts';
import { update, type Write } from '#lib/table/write.ts';
import { orNull, Phone, text } from '#lib/values/fields.ts';
import { type Cents, Currency, Sums } from '#lib/values/money.ts';
import type { Refusal } from '#lib/values/refusal.ts';
import { fold } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';

/** A supplier of goods, with what is owed on either side. Decisions, section 7. */
export const Supplier = z.object({
  ...familyRecordFields,
  name: z.string(),
  phone: z.string().nullable(),
  balances: Sums.optional(),
});

/** What it takes to make or edit a supplier. */
export const SupplierInput = z.object({ name: text(255), phone: orNull(Phone) });

type SupplierInput = z.output<typeof SupplierInput>;

const BALANCES: Balances = { of: 'supplier', names: Currency.options };

const suppliers: RecordType<typeof Supplier> = {
  type: 'supplier',
  schema: Supplier,
  indexes: [...familyIndexes, 'phone'],
  names: ({ name }, home) => [{ path: 'name', scope: home, text: name }],
  folded: ({ name }) => ({ name: fold(name) }),
  along: (home, before, after) => balanceWrites(BALANCES, home, before, after),
};

/** `with[]=supplier`: the supplier a record points at. */
export const supplierEmbed = neighbour('supplier', suppliers.type);

/** The list's query string. */
export const SupplierList = listQuery({
  filters: { ...familyFilters, name: substring('name'), phone: exact('phone', z.string()) },
  sorts: ['id', 'name'],
  embeds: familyEmbeds,
  pageSize: 20,
});

/** The query string of a single supplier. */
export const SupplierEmbeds = embedQuery({ embeds: familyEmbeds });

const kept = familyRecords(suppliers, {
  always: (home) => [
    balanceEmbed(BALANCES, home, 'balances', (sums) =>
      Object.fromEntries(Currency.options.map((currency) => [currency, sums[currency]])),
    ),
  ],
});

/** The family's suppliers, to list, get, delete and restore. */
export const { list, headers, get, remove, restore, keyOf, found } = kept;

/** Makes a supplier, with nothing owed yet. 422 on a name that the family has. */
export function create(actor: Staff, input: SupplierInput, at: Instant) {
  return kept.insert(actor, at, (base) => ({ ...base, ...input }));
}

/** Changes a supplier. 422 as for a new one. */
export function edit(actor: Staff, id: number, input: SupplierInput, at: Instant) {
  return kept.change(actor, id, at, (before) => ({ ...before, ...input }));
}

/**
 * The write that changes what is owed to a supplier: goods that came add to it, a payment takes off it. `otherwise` where
 * the supplier is deleted. Decisions, section 7.
 */
export function owe(
  home: Home,
  id: number,
  { currency, change }: { readonly currency: Currency; readonly change: Cents },
  otherwise: Refusal,
): Write {
  const isThere = { if: equals('is_deleted', false), otherwise };
  return update(balanceKey(BALANCES, home, id), { add: { [currency]: change } }, isThere);
}
