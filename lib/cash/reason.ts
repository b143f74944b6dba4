import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { familyEmbeds, familyFilters, familyRecordFields } from '#lib/people/family-record.ts';
import { exact, substring } from '#lib/records/query/filters.ts';
import { wholeList } from '#lib/records/query/list-query.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofFamily, recordsOf } from '#lib/records/records-of.ts';
import { parentOf, treeMove } from '#lib/records/references.ts';
import { type Expression, equals } from '#lib/table/expression.ts';
import { badRequest, invalid } from '#lib/values/api-error.ts';
import { Id, orNull, text } from '#lib/values/fields.ts';
import { nameSearchText } from '#lib/values/localized.ts';
import { Direction } from '#lib/values/money.ts';
import type { Locale } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';

/**
 * An item of income or expense, which may have a parent of its type. Part 3, "Cash operations"; Contract 7,
 * "Income and expense items".
 */
export const Reason = z.object({
  ...familyRecordFields,
  type: Direction,
  name: z.string(),
  parent_id: z.int().nullable(),
});

/**
 * An item as the table holds it. The group of the expenses of cash desks is marked, so that it may be
 * renamed; callers don't see the mark. A group of that name that a family has made itself becomes it.
 */
export const StoredReason = Reason.extend({ is_of_desks: z.literal(true).optional() });

export type StoredReason = z.input<typeof StoredReason>;

/** Input to make or edit an item. The type never changes. */
export const ReasonInput = z.object({ type: Direction, name: text(255), parent_id: orNull(Id) });

type ReasonInput = z.output<typeof ReasonInput>;

const TYPE = 'reason';

export const reasons: RecordType<typeof StoredReason> = {
  type: TYPE,
  copied: 'cashbox.reason',
  schema: StoredReason,
  filters: {
    ...familyFilters,
    type: exact('type', Direction),
    name: substring('name'),
    parent_id: exact('parent_id', Id),
  },
  sorts: ['id', 'name'],
  embeds: familyEmbeds,
  names: ({ type, parent_id, name }, tenant) => [
    { path: 'name', scope: `${tenant}#${type}#${parent_id ?? 0}`, text: name },
  ],
  ...nameSearchText,
  inUse: badRequest('reason.in_use'),
  references: (reason) => parentOf(TYPE, reason, equals('type', reason.type)),
  furtherWrites: (tenant, before, after) => treeMove(TYPE, tenant, before, after),
};

const records = recordsOf(reasons, ofFamily);

/**
 * List, get, make, delete and restore the family's items. 422 on a name that is taken among those with its
 * parent, and on a parent that is unknown or of the other type; deleting one that has items under it is 400.
 */
export const { List, Embeds, list, get, create, remove, restore, keyOf, ifVisible } = records;

/** Changes an item. 422 as for a new one, on a parent that is under it, and on another type. */
export function edit(actor: Staff, id: number, input: ReasonInput, at: Instant) {
  return records.change(actor, id, at, (before) => {
    if (input.type !== before.type) throw invalid({ type: 'reason.type_fixed' });
    return { ...before, ...input };
  });
}

const Named = z.object({ id: z.int(), name: z.string() });

/** An item that money is booked on. Part 3, "Cash operations". */
export const LeafReason = Named.extend({ parent: Named.nullable() });

/** The answer with all of them. */
export const LeafReasons = z.object({ data: z.array(LeafReason) });

/** The query string: income or expenses. */
export const LeafReasonQuery = z.strictObject({ type: Reason.shape.type });

/** The alphabets of the languages. */
const ALPHABETS: Readonly<Record<Locale, string>> = { ru: 'ru', uz: 'uz-Cyrl', oz: 'uz-Latn' };

/** Lists the items of a type that have none under them, in the order of the caller's alphabet. */
export async function leavesOf(
  actor: Staff,
  type: z.output<typeof Reason.shape.type>,
  locale: Locale,
): Promise<z.input<typeof LeafReasons>> {
  const rows = await readReasons(actor, [equals('type', type), equals('is_deleted', false)]);
  const names = new Map(rows.map(({ id, name }) => [id, { id, name }]));
  const groups = new Set(rows.map(({ parent_id }) => parent_id));
  const leaves = rows.filter(({ id }) => !groups.has(id));
  const { compare } = new Intl.Collator(ALPHABETS[locale]);
  const data = leaves.map(({ id, name, parent_id }) => {
    return { id, name, parent: (parent_id !== null && names.get(parent_id)) || null };
  });
  return { data: data.sort((a, b) => compare(a.name, b.name) || a.id - b.id) };
}

/** Reads all items of the family that fit. */
export async function readReasons(actor: Staff, where: readonly Expression[]) {
  return (await records.listBare(actor, wholeList(where))).rows;
}
