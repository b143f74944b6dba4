import { countAllWaiting } from '#lib/cash/desk/waiting.ts';
import { everyFamily } from '#lib/people/company/families.ts';
import { directorsOf } from '#lib/people/directors.ts';
import { announcement, NOTIFICATION } from '#lib/people/notification.ts';
import { putNew } from '#lib/table/change/write.ts';
import { familyTenant, type Key, PLATFORM, type Tenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { workOnAll } from '#lib/values/concurrency.ts';
import { type Day, dayOf, type Instant } from '#lib/values/time.ts';

const HOUR_MS = 3_600_000;

/** Hour of the daily reminder, and retention of its record. */
const REMINDER_HOUR = 9;
const RETENTION_S = 7 * 86_400;

/** Families processed concurrently. */
const PARALLEL = 20;

/**
 * Notifies the directors of every family with waiting refused sales, once a morning, for any number of runs.
 * A family that fails does not affect the others: the errors are thrown at the end. Part 4, 4.4, 5.
 */
export async function remindAll(at: Instant): Promise<void> {
  await workOnAll(everyFamily(), PARALLEL, (id) => remind(familyTenant(id), at));
}

async function remind(tenant: Tenant, at: Instant): Promise<void> {
  const count = await countAllWaiting(tenant);
  if (count === 0) return;
  // A run before nine belongs to the previous morning.
  const key = reminderKey(tenant, dayOf(at - REMINDER_HOUR * HOUR_MS));
  await retryOnContention(async () => {
    const [reminder, directors, id] = await Promise.all([
      getItem(key),
      directorsOf(tenant),
      nextId(NOTIFICATION, PLATFORM),
    ]);
    if (reminder || directors.length === 0) return;
    const label = { key: 'refused_sales.waiting', with: { count } } as const;
    await transact([
      putNew(key, { expires_at: Math.floor(at / 1000) + RETENTION_S }),
      ...announcement({ id, label, created_at: at }, directors),
    ]);
  });
}

function reminderKey(tenant: Tenant, day: Day): Key {
  return { pk: `refused-sales-told#${tenant}`, sk: day };
}
