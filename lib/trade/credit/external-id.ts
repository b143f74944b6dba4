import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { putNew, type Write } from '#lib/table/change/write.ts';
import { type Key, nameKey, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { Sale, sales } from '#lib/trade/sale/record.ts';
import { Refusal } from '#lib/values/refusal.ts';
import type { CreditInput } from './input.ts';

/** A sale as the credit system sees it. Decisions, 3. */
export const CreditSale = Sale.pick({ id: true, status: true, code: true }).extend({
  external_id: z.string(),
});

export type CreditSale = z.input<typeof CreditSale>;

const Sold = z.object({ id: z.int(), terms: z.string() });

/**
 * Finds the sale that was made by an external id and the same key. Two round trips, one if there is none. 409
 * if that was of another agreement, client or goods. Decisions, 9 (85).
 */
export async function findSold(actor: Staff, input: CreditInput): Promise<CreditSale | undefined> {
  const { external_id } = input;
  const sold = Sold.safeParse(await getItem(keyOf(actor, external_id))).data;
  if (!sold) return undefined;
  if (sold.terms !== termsOf(input)) throw new Refusal(409, { key: 'credit.external_id_taken' });
  const sale = await getItem(recordKey(sales.type, actor.home, sold.id));
  return CreditSale.parse({ ...sale, external_id });
}

/** Builds the write by which a sale has its external id. `Contention` if another has it by now. */
export function externalIdWrite(actor: Staff, input: CreditInput, { id }: Pick<CreditSale, 'id'>): Write {
  return putNew(keyOf(actor, input.external_id), { id, terms: termsOf(input) });
}

// As it was sent: unlike names, another system's ids may differ by letter case alone.
function keyOf({ home, externalKey }: Staff, externalId: string): Key {
  return nameKey(sales.type, `${home}#key-${externalKey?.id ?? 0}`, 'external_id', externalId);
}

/** Makes what tells a sale from another with the same id. A client is known by their phone. */
function termsOf({ agreement_number, agreement_date, months, client, ...sold }: CreditInput): string {
  const { initial_payment, currency } = sold;
  const products = sold.products.toSorted((a, b) => a.product_id - b.product_id);
  const agreement = { agreement_number, agreement_date, months, initial_payment, currency };
  const terms = { ...agreement, phone: client.phone, pinfl: client.pinfl, products };
  return createHash('sha256').update(JSON.stringify(terms)).digest('base64url');
}
