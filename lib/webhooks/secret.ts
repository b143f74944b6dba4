import { isSealedAnew, seal, Unopened, unseal } from '#lib/auth/sealed.ts';
import { updateOne } from '#lib/table/change/send.ts';
import { all, equals } from '#lib/table/expression.ts';
import { unlocked } from '#lib/table/items.ts';
import { recordKey } from '#lib/table/keys.ts';
import type { Instant } from '#lib/values/time.ts';
import type { WebhookRef } from './dispatch-state.ts';
import { type StoredWebhook, webhooks } from './webhook.ts';

/** Secrets of a webhook. */
type Secrets = Pick<StoredWebhook, 'sealed' | 'sealed_before' | 'sealed_before_until'>;

/** Time for which the previous secret signs too. */
const BOTH_SIGN_MS = 24 * 3_600_000;

/** Returns the fields of a new secret. */
export function newSecretFields(place: WebhookRef, secret: Uint8Array) {
  return { sealed: seal(secret, addressOf(place)), sealed_before: null, sealed_before_until: null };
}

/** Returns the fields of a rotated secret; the previous one signs for another day. */
export function nextSecretFields(place: WebhookRef, before: Secrets, secret: Uint8Array, at: Instant) {
  return {
    sealed: seal(secret, addressOf(place)),
    sealed_before: before.sealed,
    sealed_before_until: at + BOTH_SIGN_MS,
  };
}

/**
 * Returns the secrets that sign at an instant, newest first; undefined if no key decrypts the newest. The
 * previous one may have been rotated out for that very reason, so it is left out if it can't be decrypted.
 */
export function secretsAt(place: WebhookRef, record: Secrets, at: Instant): Buffer[] | undefined {
  const { sealed, sealed_before, sealed_before_until } = record;
  const isValid = sealed_before !== null && (sealed_before_until ?? 0) > at;
  const newest = openFor(place, sealed);
  const before = isValid ? openFor(place, sealed_before) : undefined;
  return newest && [newest, ...(before ? [before] : [])];
}

/**
 * Encrypts a webhook's secret again with the current key if a former key encrypted it, so that the former can
 * be retired. The secret itself does not change. A concurrent rotation uses the current key anyway.
 */
export async function sealAnew(place: WebhookRef, { sealed }: Secrets): Promise<void> {
  if (isSealedAnew(sealed)) return;
  const again = seal(unseal(sealed, addressOf(place)), addressOf(place));
  const key = recordKey(webhooks.type, place.tenant, place.id);
  await updateOne(key, { set: { sealed: again } }, all([unlocked, equals('sealed', sealed)]));
}

function openFor(place: WebhookRef, sealed: string): Buffer | undefined {
  try {
    return unseal(sealed, addressOf(place));
  } catch (error) {
    if (error instanceof Unopened) return undefined;
    throw error;
  }
}

function addressOf({ tenant, id }: WebhookRef): string {
  return `webhook#${tenant}#${id}`;
}
