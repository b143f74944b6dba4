import { expect } from 'vitest';
import type { TableChange } from '#lib/table/feed/change.ts';
import { familyTenant, recordKey } from '#lib/table/keys.ts';
import type { Instant } from '#lib/values/time.ts';
import { dispatchDue } from '#lib/webhooks/delivery/dispatch.ts';
import type { WebhookRef } from '#lib/webhooks/dispatch-state.ts';
import { newFamily } from './family.ts';
import { MAX_WAIT_MS } from './patience.ts';
import { addWebhook, startReceiver } from './receiver.ts';
import { make } from './records.ts';

/**
 * Time beyond the running service's clock: deliveries due then are left to the test. The table changes at
 * another time, so a test enqueues deletions that never happened, and no other source does.
 */
export const LATER: Instant = Date.UTC(2031, 0, 1);

/** Creates a family with a brand, a receiver, and a webhook subscribed to deletions of brands. */
export async function newScene() {
  const family = await newFamily();
  const receiver = await startReceiver();
  const brand = await make('/company/product/brand', family.director, { name: 'Чай', image_old_keys: '[]' });
  const { id, secret } = await addWebhook(family.director, receiver.url, ['product.brand.deleted']);
  const tenant = familyTenant(family.companyId);
  return { ...family, receiver, brand, id, secret, place: { tenant, id } };
}

/** Builds the change of a brand's deletion. */
export function deletionOf(place: WebhookRef, brand: number, at = LATER): TableChange {
  const nobody = { creatorId: undefined, impersonatorId: undefined };
  const unchanged = { changedById: undefined, changedImpersonatorId: undefined, version: undefined };
  return {
    ...{
      tenant: place.tenant,
      type: 'product.brand',
      id: brand,
      key: recordKey('brand', place.tenant, brand),
    },
    ...{ action: 'deleted', isSum: false, companyId: undefined, cashboxId: undefined, stockId: undefined },
    ...nobody,
    ...unchanged,
    ...{ at, order: '' },
  };
}

/**
 * Dispatches a webhook at a given time, once its lease is free. No response counts as slow unless `slowMs` is
 * passed: tests don't measure speed.
 */
export async function dispatchAt(
  place: WebhookRef,
  at: Instant,
  slowMs = Number.POSITIVE_INFINITY,
): Promise<void> {
  await expect
    .poll(() => dispatchDue(place, () => at, { slowMs }), { interval: 20, timeout: MAX_WAIT_MS })
    .toBe(true);
}
