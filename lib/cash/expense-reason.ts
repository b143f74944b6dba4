import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { insertion, replacement } from '#lib/records/record-writes.ts';
import { newRecord } from '#lib/records/records-of.ts';
import type { Stored } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import { withoutErrors } from '#lib/table/change/writes.ts';
import { equals } from '#lib/table/expression.ts';
import { addressOf, type Tenant } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { text } from '#lib/values/fields.ts';
import { translateLabel } from '#lib/values/labels/label.ts';
import { normalizeText } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import { type LeafReason, readReasons, reasons, type StoredReason } from './reason.ts';

/** Initial name of the group. */
const groupName = () => translateLabel('ru', { key: 'reason.cash_desk_expenses' });

/** Input to add an expense of cash desks. */
export const ExpenseReasonInput = z.object({ name: text(255) });

type Expense = Stored<typeof reasons.schema>;

type Leaf = z.input<typeof LeafReason>;

/**
 * Adds an expense reason to the group of cash-desk expenses. The group is created if missing, and stays the
 * group when renamed. An existing expense of that name, in any group, is returned; one deleted from the group
 * is restored. Concurrent calls thus create one reason and one group. Part 3, "Cash shifts".
 */
export function addExpenseReason(actor: Staff, name: string, at: Instant): Promise<Leaf> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const expenses = await readReasons(actor, [equals('type', 'outcome')]);
    const known = leafNamed(expenses, name);
    if (known) return leafOf(known, expenses);

    const existing = groupIn(expenses);
    const firstId = await nextId(reasons.type, tenant, existing ? 1 : 2);
    const group = existing ?? newExpense(actor, { id: firstId, name: groupName(), parent_id: null }, at);
    const id = existing ? firstId : firstId + 1;
    const item =
      childNamed(expenses, group.id, name) ?? newExpense(actor, { id, name, parent_id: group.id }, at);
    // A name taken, or a reason deleted, since the read is contention.
    const groupWrites = reasonWrites(tenant, group, at, { is_of_desks: true });
    await transact(withoutErrors(besideParent(groupWrites, reasonWrites(tenant, item, at))));
    return { id: item.id, name: item.name, parent: { id: group.id, name: group.name } };
  });
}

/** Finds the leaf expense with a name. */
function leafNamed(expenses: readonly Expense[], name: string): Expense | undefined {
  const live = expenses.filter((each) => !each.is_deleted);
  const groups = new Set(live.map(({ parent_id }) => parent_id));
  return live.find((each) => !groups.has(each.id) && isNamed(each, name));
}

function isNamed(reason: Expense, name: string): boolean {
  return normalizeText(reason.name) === normalizeText(name);
}

function leafOf({ id, name, parent_id }: Expense, expenses: readonly Expense[]): Leaf {
  const parent = expenses.find((each) => each.id === parent_id);
  return { id, name, parent: parent ? { id: parent.id, name: parent.name } : null };
}

/**
 * Finds the group of cash-desk expenses: the marked one, which may have been renamed, moved or deleted, else
 * one by its name.
 */
function groupIn(expenses: readonly Expense[]): Expense | undefined {
  const live = new Set(expenses.filter((each) => !each.is_deleted).map(({ id }) => id));
  const hasLiveParent = ({ parent_id }: Expense) => parent_id === null || live.has(parent_id);
  const marked = expenses.filter(({ is_of_desks }) => is_of_desks);
  const group = marked.find(({ id }) => live.has(id)) ?? marked.find(hasLiveParent);
  return group ?? childNamed(expenses, null, groupName());
}

/** Finds the reason with a name under a parent, deleted or not. */
function childNamed(expenses: readonly Expense[], parentId: number | null, name: string) {
  return expenses.find((each) => each.parent_id === parentId && isNamed(each, name));
}

function newExpense(
  actor: Staff,
  { id, ...named }: Pick<StoredReason, 'id' | 'name' | 'parent_id'>,
  at: Instant,
): StoredReason {
  return { ...newRecord(actor, id, at), type: 'outcome', ...named };
}

/** Builds the writes that create, restore or mark a reason; none if it is up to date. */
function reasonWrites(
  tenant: Tenant,
  reason: Expense | StoredReason,
  at: Instant,
  ofDesks: Pick<StoredReason, 'is_of_desks'> = {},
): Write[] {
  if (!('version' in reason)) return insertion(reasons, tenant, { ...reason, ...ofDesks });
  const after = { ...reason, ...ofDesks, is_deleted: false };
  if (isDeepStrictEqual(after, reason)) return [];
  return replacement(reasons, tenant, reason, { ...after, updated_at: at });
}

/**
 * Joins the writes of a group and a reason in it, without the reason's check of the group if the same
 * transaction creates it.
 */
function besideParent(groupWrites: readonly Write[], itemWrites: readonly Write[]): Write[] {
  const made = new Set(groupWrites.map(({ key }) => addressOf(key)));
  const further = itemWrites.filter(
    ({ key, change }) => change.kind !== 'check' || !made.has(addressOf(key)),
  );
  return [...groupWrites, ...further];
}
