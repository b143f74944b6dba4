import { countAllWaiting } from '#lib/cash/desk/waiting.ts';
import { everyFamily } from '#lib/people/company/families.ts';
import { directorsOf } from '#lib/people/directors.ts';
import { announcement, NOTIFICATION } from '#lib/people/notification.ts';
import { putNew } from '#lib/table/change/write.ts';
import { familyTenant, type Key, PLATFORM, type Tenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import { translateLabel } from '#lib/values/labels/label.ts';
import { type Day, dayOf, type Instant } from '#lib/values/time.ts';

const HOUR_MS = 3_600_000;

/** When directors are told, and for how long it is known that they were. */
const HOUR = 9;
const KEPT_S = 7 * 86_400;

/** Families that are looked at at the same time. */
const SIDE_BY_SIDE = 20;

/**
 * Tells the directors of every family in which refused sales wait, once a morning, however often it runs. One
 * family that fails does not keep the others from it: the error comes at the end. Part 4, 4.4, 5.
 */
export async function remindAll(at: Instant): Promise<void> {
  const errors: unknown[] = [];
  for await (const families of everyFamily()) {
    await mapConcurrent(families, SIDE_BY_SIDE, (id) =>
      remind(familyTenant(id), at).catch((error: unknown) => void errors.push(error)),
    );
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} families were not told`);
}

async function remind(tenant: Tenant, at: Instant): Promise<void> {
  const count = await countAllWaiting(tenant);
  if (count === 0) return;
  // What runs before nine belongs to the morning before.
  const key = reminderKey(tenant, dayOf(at - HOUR * HOUR_MS));
  await retryOnContention(async () => {
    const [told, directors, id] = await Promise.all([
      getItem(key),
      directorsOf(tenant),
      nextId(NOTIFICATION, PLATFORM),
    ]);
    if (told || directors.length === 0) return;
    // A notification has one text for all who read it.
    const text = translateLabel('ru', { key: 'refused_sales.waiting', with: { count } });
    await transact([
      putNew(key, { expires_at: Math.floor(at / 1000) + KEPT_S }),
      ...announcement({ id, text, created_at: at }, directors),
    ]);
  });
}

function reminderKey(tenant: Tenant, day: Day): Key {
  return { pk: `refused-sales-told#${tenant}`, sk: day };
}
