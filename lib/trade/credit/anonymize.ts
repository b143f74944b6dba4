import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { anonymizeClient } from '#lib/clients/anonymize.ts';
import { documentReplacement, getDocumentToChange } from '#lib/records/documents.ts';
import { partition } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { Agreement, sales } from '#lib/trade/sale/record.ts';
import type { Instant } from '#lib/values/time.ts';

const CreditSale = z.object({ id: z.int(), client_id: z.int(), source_type: z.literal('credit') });

/** Progress: sales examined, and sales changed. */
export interface Anonymized {
  readonly looked: number;
  readonly changed: number;
}

/**
 * Removes a client's name, telephones and other personal data from the client's card, and from the copies in
 * the credit agreements of their sales. Amounts, debts and documents stay. Idempotent. Reads all sales of the
 * family.
 */
export async function anonymize(actor: Staff, id: number, at: Instant): Promise<Anonymized> {
  await anonymizeClient(actor.tenant, id, at);
  let [looked, changed] = [0, 0];
  for await (const items of walk(partition(sales.type, actor.tenant))) {
    looked += items.length;
    for (const item of items) {
      const sale = CreditSale.safeParse(item).data;
      if (sale?.client_id === id && (await anonymizeAgreement(actor, sale.id, at))) changed += 1;
    }
  }
  return { looked, changed };
}

const NOBODY = { full_name: '—', phone: '—', pinfl: null };

/** Removes a client's personal data from an agreement; returns false if it has none. */
async function anonymizeAgreement(actor: Staff, id: number, at: Instant): Promise<boolean> {
  return retryOnContention(async () => {
    const before = await getDocumentToChange(sales, actor, id);
    const agreement = Agreement.safeParse(before.source_data).data;
    if (!agreement || agreement.client.full_name === NOBODY.full_name) return false;
    const after = { ...before, source_data: { ...agreement, client: NOBODY }, updated_at: at };
    await transact(documentReplacement(sales, actor.tenant, before, after));
    return true;
  });
}
