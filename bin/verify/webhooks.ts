import { keySealing } from '#lib/auth/sealed.ts';
import { webhooks } from '#lib/webhooks/webhook.ts';
import type { Books } from './frame/books.ts';
import { everyOf } from './frame/documents.ts';

/**
 * Counts the secrets of active webhooks by the number of the key that seals them: one that seals none may go.
 * Those of others are sealed anew once they send again.
 */
export async function countSecrets(books: Books): Promise<void> {
  for await (const { is_active, sealed } of everyOf(books.tenant, webhooks)) {
    if (is_active) books.count(`webhook secrets under key ${keySealing(sealed) ?? '1 or 2'}`);
  }
}
