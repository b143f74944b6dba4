import * as z from 'zod';
import { Currency } from '#lib/values/money.ts';

/** A part of a header, of a cheque or a return, that never changes once it is there. */
const Header = z.object({
  id: z.int(),
  company_id: z.int(),
  cashbox_id: z.int(),
  currency: Currency,
});

/** A part of a cheque's header. */
export const SoldHeader = Header.extend({ sold_at: z.number() });

/** A part of a return's header. */
export const ReturnedHeader = Header.extend({ created_at: z.number() });
