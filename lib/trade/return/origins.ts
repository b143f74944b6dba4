import { balanceChangeWrites } from '#lib/clients/balance-change.ts';
import type { Earning } from '#lib/clients/bonuses.ts';
import { closingWrites } from '#lib/clients/debt/change.ts';
import { documentReplacement } from '#lib/records/documents.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { sales } from '#lib/trade/sale/record.ts';
import type { SaleReturn } from '#lib/trade/sale/returns-of.ts';
import { requireSameSale } from '#lib/trade/sale/write.ts';
import type { MinorUnits } from '#lib/values/money.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import { addPassedMoney } from './allocate-refund.ts';
import { applyBonusTransfers, type BonusTransfers } from './bonuses.ts';
import type { EarlierSale, Original } from './original.ts';
import { type Purse, withPurse } from './purse.ts';
import type { Purses } from './purses.ts';

/** Earlier sale with the debt that a return closes, and the money that it moves there. */
interface EarlierShare extends EarlierSale {
  readonly closed: MinorUnits;
  readonly money: MinorUnits;
  /** All its money, by origin. */
  readonly purse: Purse | undefined;
  /** Bonuses gained; undefined for another client's sale, whose bonuses are unchanged. */
  readonly gained: readonly Earning[] | undefined;
}

/**
 * Builds a return's writes to the sales that its own was exchanged from: their debts, their money, and the
 * balances of other clients. Those that it only depends on must be unchanged since the read.
 */
export function originWrites(
  tenant: Tenant,
  { sale: { client_id }, origins }: Original,
  { origins: shares, created_at: at }: SaleReturn,
  { moved, purses }: { readonly moved: BonusTransfers; readonly purses: Purses },
): Write[] {
  const theirs = origins.map((origin, index) => {
    const { debt_amount: closed = 0, money_amount: money = 0 } = shares[index] ?? {};
    const gained = origin.debt.client_id === client_id ? moved.origins[index] : undefined;
    return { ...origin, closed, money, gained, purse: purses.origins[index] };
  });
  const others = theirs.filter(({ debt, closed }) => debt.client_id !== client_id && closed > 0);
  return [
    ...theirs.flatMap((origin) => [
      ...moneyWrites(tenant, origin, at),
      ...closingWrites(tenant, origin.debt, origin.closed, at),
    ]),
    ...[...Map.groupBy(others, ({ debt }) => debt.client_id).values()].flatMap((owed) =>
      debtorWrites(tenant, owed, at),
    ),
  ];
}

function moneyWrites(
  tenant: Tenant,
  { sale, debt, money, purse, gained }: EarlierShare,
  at: Instant,
): Write[] {
  if (money === 0) return [requireSameSale(tenant, sale)];
  const passed = { ...addPassedMoney(sale, money), updated_at: at };
  const after = purse ? withPurse(passed, purse) : passed;
  return documentReplacement(sales, tenant, sale, gained ? applyBonusTransfers(after, debt, gained) : after);
}

/** Builds the writes to one client, some of whose debts are closed. */
function debtorWrites(tenant: Tenant, owed: readonly EarlierShare[], at: Instant): Write[] {
  const [first] = owed;
  if (!first?.clientSums) return [];
  const debt = -owed.reduce((sum, { closed }) => sum + closed, 0);
  const change = { spent: 0, debt, currency: first.debt.currency };
  return balanceChangeWrites({ tenant, id: first.debt.client_id }, first.clientSums, change, dayOf(at));
}
