import * as z from 'zod';
import { Currency } from '#lib/values/money.ts';

/** Fields of a sale's or a return's header that never change once written. */
const Header = z.object({
  id: z.int(),
  company_id: z.int(),
  cashbox_id: z.int(),
  currency: Currency,
});

/** Fields of a sale's header. */
export const SoldHeader = Header.extend({ sold_at: z.number() });

/** Fields of a return's header. */
export const ReturnedHeader = Header.extend({ created_at: z.number() });
