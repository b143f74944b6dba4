import { seal, unseal } from '#lib/access/sealed.ts';
import type { Instant } from '#lib/values/time.ts';
import type { WebhookPlace } from './lane.ts';
import type { StoredWebhook } from './webhook.ts';

/** A part of a webhook: its secrets. */
type Secrets = Pick<StoredWebhook, 'sealed' | 'sealed_before' | 'sealed_before_until'>;

/** How long the secret before signs too. */
const BOTH_SIGN_MS = 24 * 3_600_000;

/** Makes the fields of a new secret. */
export function newSecretFields(place: WebhookPlace, secret: Uint8Array) {
  return { sealed: seal(secret, addressOf(place)), sealed_before: null, sealed_before_until: null };
}

/** Makes the fields of a secret that comes after another, which goes on to sign for a day. */
export function nextSecretFields(place: WebhookPlace, before: Secrets, secret: Uint8Array, at: Instant) {
  return {
    sealed: seal(secret, addressOf(place)),
    sealed_before: before.sealed,
    sealed_before_until: at + BOTH_SIGN_MS,
  };
}

/** Gives the secrets that sign at a moment, the newest first. */
export function secretsAt(place: WebhookPlace, record: Secrets, at: Instant): Buffer[] {
  const { sealed, sealed_before, sealed_before_until } = record;
  const isValid = sealed_before !== null && (sealed_before_until ?? 0) > at;
  return [sealed, ...(isValid ? [sealed_before] : [])].map((text) => unseal(text, addressOf(place)));
}

function addressOf({ home, id }: WebhookPlace): string {
  return `webhook#${home}#${id}`;
}
