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
 * Reason of income or expense, optionally with a parent of its type. Part 3, "Cash operations"; Contract 7,
 * "Income and expense items".
 */
export const Reason = z.object({
  ...familyRecordFields,
  type: Direction,
  name: z.string(),
  parent_id: z.int().nullable(),
});

/**
 * Stored reason. The group of cash-desk expenses has a mark, so that it may be renamed; the mark is not
 * published. A family's own group of that name becomes it.
 */
export const StoredReason = Reason.extend({ is_of_desks: z.literal(true).optional() });

export type StoredReason = z.input<typeof StoredReason>;

/** Input to create or edit a reason. The type never changes. */
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
 * Operations on the family's reasons: list, get, create, delete, restore. 422 on a duplicate name under the
 * same parent, and on a parent that is unknown or of the other type; 400 to delete one with children.
 */
export const { List, Embeds, list, get, create, remove, restore, keyOf, ifVisible } = records;

/** Edits a reason. 422 as in `create`, on a parent among its descendants, and on another type. */
export function edit(actor: Staff, id: number, input: ReasonInput, at: Instant) {
  return records.change(actor, id, at, (before) => {
    if (input.type !== before.type) throw invalid({ type: 'reason.type_fixed' });
    return { ...before, ...input };
  });
}

const Named = z.object({ id: z.int(), name: z.string() });

/** Leaf reason, on which money is booked. Part 3, "Cash operations". */
export const LeafReason = Named.extend({ parent: Named.nullable() });

/** Response with all of them. */
export const LeafReasons = z.object({ data: z.array(LeafReason) });

/** Query string: income or expenses. */
export const LeafReasonQuery = z.strictObject({ type: Reason.shape.type });

/** Collation of each language. */
const ALPHABETS: Readonly<Record<Locale, string>> = { ru: 'ru', uz: 'uz-Cyrl', oz: 'uz-Latn' };

/** Lists the leaf reasons of a type, in the alphabetical order of the caller's language. */
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

/** Reads all matching reasons of the family. */
export async function readReasons(actor: Staff, where: readonly Expression[]) {
  return (await records.listBare(actor, wholeList(where))).rows;
}
