import { randomUUID } from 'node:crypto';
import type { Reply } from '#bin/cli/person.ts';
import { newKey, uuidsOf } from './external.ts';
import { call } from './http.ts';
import type { Shop } from './shop.ts';

export const CREATE = 'POST /external/credit/trade-sale/create';

export type Headers = Readonly<Record<string, string>>;

/** Creates a key of a credit system, and the headers by which it sells for a company. */
export async function creditHeaders(companyId: number): Promise<Headers> {
  const { key } = await newKey({ kind: 'external', company_ids: [companyId] });
  const { primary_uuid } = await uuidsOf(companyId);
  return { 'External-System-Secret-Key': key, 'Company-Primary-Uuid': primary_uuid };
}

/** Creates a request to sell two pieces at 6000, of which 2000 are paid at once. */
export function creditRequest(
  { stockId, cashboxId }: Pick<Shop, 'stockId' | 'cashboxId'>,
  product_id: number,
  given: object = {},
) {
  return {
    external_id: randomUUID(),
    agreement_number: 'K-15/26',
    agreement_date: '2026-10-01',
    months: 12,
    initial_payment: 2000,
    stock_id: stockId,
    cashbox_id: cashboxId,
    currency: 'uzs',
    client: { full_name: 'Алишер Каримов', phone: '998901112233', pinfl: '12345678901234' },
    products: [{ product_id, quantity: 2, price: 6000 }],
    ...given,
  };
}

/** Sends a request of a credit system. */
export function sendCredit(headers: Headers, json: object): Promise<Reply> {
  return call(CREATE, { headers, json });
}
