import { makerOf } from '#lib/auth/actor.ts';
import type { debts } from '#lib/clients/debt/record.ts';
import type { Stored } from '#lib/records/stored.ts';
import type { sales } from '#lib/trade/sale/record.ts';

type Debt = Stored<typeof debts.schema>;
type StoredSale = Stored<typeof sales.schema>;

/** Rates of currencies that make odd amounts. */
export const RATES = { uzs: 100, usd: 1_265_000, eur: 1_370_001, rub: 13_500 };

/** Builds a sale of sums as stored in the table. */
export function newSaleOf(given: Partial<StoredSale>): StoredSale {
  return {
    ...{
      ...makerOf({ id: 1 }),
      id: 1,
      company_id: 1,
      cashbox_id: 1,
      stock_id: 1,
      client_id: 1,
      hold_id: null,
    },
    ...{ exchange_of_sale_id: null, currency: 'uzs', rates: RATES, sold_amount: 0 },
    ...{ purchased_amount: 0, discount_amount: 0 },
    ...{
      returned_amount: 0,
      received_amount: 0,
      paid_out_amount: 0,
      passed_on_amount: 0,
      exchanged_amount: 0,
    },
    ...{ status: 'completed', source_type: 'native', source_data: [], code: '#1', comment: null },
    ...{
      is_late: false,
      client_before: null,
      bonus_earned: 0,
      bonus_available_on: null,
      bonus_taken_back: 0,
    },
    ...{
      bonus_shares: [],
      origins: [],
      transactions: [],
      products_count: 1,
      key: null,
      sold_at: 0,
      created_at: 0,
      updated_at: 0,
      version: 1,
    },
    ...given,
  };
}

/** Creates a debt of sums as the table would hold it. */
export function newDebtOf(given: Partial<Debt>): Debt {
  return {
    ...{
      ...makerOf({ id: 1 }),
      id: 1,
      company_id: 1,
      client_id: 1,
      sale_id: 1,
      currency: 'uzs',
      due_date: 0,
    },
    ...{ amount: 0, repaid_amount: 0, returned_amount: 0, comment: null, status: 'not_repaid' },
    ...{ created_at: 0, updated_at: 0, version: 1 },
    ...given,
  };
}
