import * as z from 'zod';
import { DEFAULT_UPDATE_SIZE, type RollupKind } from '#lib/table/rollups/kind.ts';
import { SALE_TENDER } from '#lib/trade/sale-tender/record.ts';
import { Currency, PaymentType, totalAmount } from '#lib/values/money.ts';
import { cellOf } from './sales.ts';

const Sums = z.array(z.object({ payment_type: PaymentType, amount: z.int() }));

/** Fields of a correction's header. */
const Header = z.object({
  id: z.int(),
  company_id: z.int(),
  cashbox_id: z.int(),
  currency: Currency,
  sale_creator_id: z.int(),
  before: Sums,
  after: Sums,
  created_at: z.number(),
});

/** Sums of corrections: the gains and the losses of each payment type. */
export const TENDER_SUMS = PaymentType.options.flatMap((way) => [`${way} gained`, `${way} lost`] as const);

/**
 * Corrections of payment types by desk and month: for each day, currency, creator of the sale and company.
 * Part 5, 5A.8, 3.
 */
export const tenderRollups: RollupKind = {
  name: 'tender-corrected',
  edition: 1,
  source: SALE_TENDER,
  only: Object.keys(Header.shape),
  numbers: 4,
  sums: TENDER_SUMS.length,
  ...DEFAULT_UPDATE_SIZE,
  factsOf: (_, headers) =>
    Promise.resolve(
      headers.map((header) => {
        const { id, created_at, sale_creator_id: creator_id, before, after, ...place } = Header.parse(header);
        const sums = PaymentType.options.flatMap((way) => {
          const change = sumOf(after, way) - sumOf(before, way);
          return [Math.max(change, 0), Math.max(-change, 0)];
        });
        return { id, ...cellOf({ ...place, creator_id }, created_at), sums };
      }),
    ),
};

function sumOf(sums: z.output<typeof Sums>, way: PaymentType): number {
  return totalAmount(sums.filter(({ payment_type }) => payment_type === way));
}
