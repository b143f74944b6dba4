import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { wholeList } from '#lib/records/query/list-query.ts';
import { type Expression, equals } from '#lib/table/expression.ts';
import type { Locale } from '#lib/values/text.ts';
import { listBare, Reason } from './reason.ts';

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
  return (await listBare(actor, wholeList(where))).rows;
}
