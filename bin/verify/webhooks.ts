import { keySealing } from '#lib/auth/sealed.ts';
import { webhooks } from '#lib/webhooks/webhook.ts';
import type { Books } from './frame/books.ts';
import { everyOf } from './frame/documents.ts';

/**
 * Counts the secrets of active webhooks by their encryption key: an unused key may go. Secrets of other
 * webhooks are re-encrypted once they send again.
 */
export async function countSecrets(books: Books): Promise<void> {
  for await (const { is_active, sealed } of everyOf(books.tenant, webhooks)) {
    if (is_active) books.count(`webhook secrets under key ${keySealing(sealed) ?? '1 or 2'}`);
  }
}
