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

/** What a program was told of its way: so many sales were looked at, and so many changed. */
export interface Anonymized {
  readonly looked: number;
  readonly changed: number;
}

/**
 * Takes a client's name, telephones and all else that tells who it is out of the client's card, and out of
 * the agreements on credit of their sales, which have a copy. Sums, debts and documents stay. What it has
 * done it finds done when it runs again. It reads all sales of the family.
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

/** Takes a client's name, telephone and number out of an agreement; tells whether they were in it. */
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
