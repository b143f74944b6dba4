import * as z from 'zod';
import { companies } from '#lib/people/company/record.ts';
import { familyTenant, partition } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { type Day, dayOf, type Instant } from '#lib/values/time.ts';

/** Fields of a company that its family's tariff uses. */
const Subscriber = z.object({
  id: z.int(),
  parent_id: z.int().nullable(),
  name: z.string(),
  company_name: z.string().nullable(),
  inn: z.string().nullable(),
  agreement_number: z.string().nullable(),
  agreement_date: z.string().nullable(),
  phone: z.string().nullable(),
  is_deleted: z.boolean(),
  created_at: z.number(),
  updated_at: z.number(),
});

type Subscriber = z.output<typeof Subscriber>;

/** Companies of a family for its tariff. */
export interface Subscribers {
  readonly main: Subscriber;
  /** Deleted ones too. */
  readonly branches: readonly Subscriber[];
}

/** Reads a family's companies. One round trip. */
export async function readSubscribers(familyId: number): Promise<Subscribers> {
  const all = (await wholePartition(partition(companies.type, familyTenant(familyId)))).map((item) =>
    Subscriber.parse(item),
  );
  const main = all.find(({ id }) => id === familyId);
  if (!main) throw new Error(`Family ${familyId} has no main company`);
  return { main, branches: all.filter(({ id }) => id !== familyId) };
}

/** Lists the branches that are not deleted. */
export function openBranches({ branches }: Subscribers): readonly Subscriber[] {
  return branches.filter(({ is_deleted }) => !is_deleted);
}

/**
 * Lists the branches that existed on a day. A deleted branch does not change any more, so it existed until
 * its last change.
 */
export function branchesOn(day: Day, { branches }: Subscribers): readonly Subscriber[] {
  return branches.filter(
    ({ created_at, updated_at, is_deleted }) =>
      dayOf(created_at) <= day && (!is_deleted || dayOf(updated_at) > day),
  );
}

/**
 * Returns the day within a period on which a branch was added: its creation or, for an older one that was
 * restored, its last change, which is the restoration or later. Undefined if that day is in the future or not
 * in the period.
 */
export function dayAdded(
  { created_at, updated_at }: Pick<Subscriber, 'created_at' | 'updated_at'>,
  { from, to }: { readonly from: Day; readonly to: Day },
  at: Instant,
): Day | undefined {
  const made = dayOf(created_at);
  const day = made > from ? made : dayOf(updated_at);
  return day < to && day <= dayOf(at) ? day : undefined;
}
