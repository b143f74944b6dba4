import { Account } from '#lib/auth/account.ts';
import { hasRight, isIn, type Staff } from '#lib/auth/actor.ts';
import { actorFor } from '#lib/auth/identify.ts';
import { users } from '#lib/people/user/user.ts';
import { partition, type Tenant } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';

/** As many as one transaction holds beside the event they are notified of. Part 5, 5B.11. */
const MAX_RECIPIENTS = 80;

/** Users whose roles and companies are read concurrently. */
const AT_ONCE = 20;

/**
 * Lists the users of a family to notify: those with a right, directors first, who reach the place. Two round
 * trips for twenty users.
 */
export async function recipientsOf(
  tenant: Tenant,
  right: string,
  reaches: (actor: Staff) => boolean,
): Promise<number[]> {
  const items = await wholePartition(partition(users.type, tenant));
  const accounts = items.flatMap((item) => Account.safeParse(item).data ?? []);
  const people = accounts.filter(({ type, is_deleted }) => !is_deleted && type !== 'key');
  const actors = await mapConcurrent(people, AT_ONCE, (account) => actorFor(account));
  const staff = actors.filter((actor) => isIn('company', actor));
  const found = staff.filter((actor) => hasRight(actor, right) && reaches(actor));
  const [directors, others] = [
    found.filter(({ type }) => type === 'director'),
    found.filter(({ type }) => type !== 'director'),
  ];
  return [...directors, ...others].map(({ id }) => id).slice(0, MAX_RECIPIENTS);
}
