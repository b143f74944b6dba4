import { remainderOf, type StoredDebt } from '#lib/clients/debt/record.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import type { MinorUnits } from '#lib/values/money.ts';

/** Remaining goods, debt and money of a sale. */
export interface Standing {
  readonly goods: MinorUnits;
  readonly debt: MinorUnits;
  readonly money: MinorUnits;
}

/** Computes the remainder of a sale: goods not returned, open debt, and money of its own. */
export function saleRemainder(
  { sold_amount, returned_amount, received_amount, paid_out_amount, passed_on_amount }: Sale,
  debt: StoredDebt | undefined,
): Standing {
  return {
    goods: sold_amount - returned_amount,
    debt: debt ? remainderOf(debt) : 0,
    money: received_amount + (debt?.repaid_amount ?? 0) - paid_out_amount - passed_on_amount,
  };
}
