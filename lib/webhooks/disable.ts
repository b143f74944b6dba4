import { directorsOf } from '#lib/people/directors.ts';
import { announcement, NOTIFICATION } from '#lib/people/notification.ts';
import { findRecord } from '#lib/records/record.ts';
import { replacement } from '#lib/records/record-writes.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import type { Label } from '#lib/values/labels/label.ts';
import type { Instant } from '#lib/values/time.ts';
import type { WebhookRef } from './dispatch-state.ts';
import { withoutQuery } from './receiver/destination.ts';
import { type DisabledReason, webhooks } from './webhook.ts';

/**
 * Disables a webhook and notifies the family's directors once, even under concurrent calls. Pending
 * deliveries are dropped. Part 4, 4.2, 2.
 */
export async function disable(
  { tenant, id }: WebhookRef,
  why: {
    readonly reason: DisabledReason;
    readonly failingSince: Instant | null;
    /**
     * True if its secret can't be decrypted: directors are notified, as the contract has no reason code for
     * that.
     */
    readonly isMute?: boolean;
  },
  at: Instant,
): Promise<void> {
  await retryOnContention(async () => {
    const [before, directors, notice] = await Promise.all([
      findRecord({ type: webhooks, tenant, id }),
      directorsOf(tenant),
      nextId(NOTIFICATION, PLATFORM),
    ]);
    if (!before?.is_active) return;
    const after = {
      ...before,
      is_active: false,
      disabled_at: at,
      disabled_reason: why.reason,
      failing_since: why.failingSince,
      generation: before.generation + 1,
      updated_at: at,
    };
    const label: Label = {
      key: why.isMute ? 'webhook.disabled_secret' : `webhook.disabled_${why.reason}`,
      with: { id, url: withoutQuery(before.url) },
    };
    await transact([
      ...replacement(webhooks, tenant, before, after),
      ...announcement({ id: notice, label, created_at: at }, directors),
    ]);
  });
}
