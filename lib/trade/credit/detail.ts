import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { getDocument } from '#lib/records/documents.ts';
import { Agreement } from '#lib/trade/sale/agreement.ts';
import { amountPaidBy, sales } from '#lib/trade/sale/record.ts';
import { Currency, Money } from '#lib/values/money.ts';
import { missing } from '#lib/values/refusal.ts';
import type { CreditInput } from './input.ts';

/** The credit agreement of a sale, with who paid how much of it. Part 2, "Sale". */
export const CreditDetail = Agreement.extend({
  sale_id: z.int(),
  currency: Currency,
  total_amount: Money,
  initial_payment: Money,
  /** The credit company's payment. */
  credit_amount: Money,
});

/** Makes what a sale on credit keeps of its agreement; the amounts are its payments. */
export function agreementOf(input: CreditInput, system: string): z.output<typeof Agreement> {
  const { external_id, agreement_number, agreement_date, months, client } = input;
  return { external_id, agreement_number, agreement_date, months, client, system };
}

/**
 * Reads the agreement of a sale on credit. Part 2, "Sale". 404 for a sale without one, and as for the sale
 * itself.
 */
export async function creditDetail(actor: Staff, id: number): Promise<z.input<typeof CreditDetail>> {
  const sale = await getDocument(sales, actor, id);
  if (sale.source_type !== 'credit') throw missing();
  return {
    ...Agreement.parse(sale.source_data),
    sale_id: sale.id,
    currency: sale.currency,
    total_amount: sale.sold_amount,
    initial_payment: amountPaidBy('cash', sale.transactions),
    credit_amount: amountPaidBy('bank', sale.transactions),
  };
}
