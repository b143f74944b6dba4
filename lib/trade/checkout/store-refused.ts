import type { Staff } from '#lib/auth/actor.ts';
import { ratesOf } from '#lib/cash/company-rates.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { storeRefusedSale, updateRefusedSale } from '#lib/trade/refused/store.ts';
import { paymentValueIn } from '#lib/trade/sale/payments.ts';
import { type ApiError, StoredSaleError } from '#lib/values/api-error.ts';
import { type Currency, MAX_AMOUNT, type MinorUnits } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import type { SaleKeyOutcome } from './idempotent-sale.ts';
import { sellerOfKept } from './seller.ts';

/** Refusal of a sale, and the refused body. */
interface Refusing {
  readonly refusal: ApiError;
  /** Body as sent; undefined if it is a stored one. */
  readonly sent?: unknown;
  readonly isRetry?: true | undefined;
  readonly at: Instant;
}

/** Fields of a refused sale, as far as its body can be read. */
interface ReadableFields extends StatedPayments {
  readonly key: string | null;
  readonly sold_at: Instant | null;
  readonly creator_id: number | null;
}

/**
 * Returns true for errors with which a sale is stored: not those after which it is sent again. Part 4, 4.4,
 * 5.
 */
export function isStorable({ status }: Pick<ApiError, 'status'>): boolean {
  return status !== 409 && status !== 429 && status !== 503;
}

/** Updates a waiting sale that was refused again; returns the refusal to throw. */
export async function updateIfWaiting(
  actor: Staff,
  fields: ReadableFields,
  { desk, waiting }: SaleKeyOutcome,
  { refusal, sent, isRetry, at }: Refusing,
): Promise<ApiError> {
  if (!desk || !waiting || !isStorable(refusal)) return refusal;
  const { tenant, id } = actor;
  const names = isRetry
    ? { creator_id: waiting.creator_id, retried_by: id }
    : { creator_id: await sellerOfKept(actor, fields, desk, at), sent_by: id };
  const amount = await sumStatedPayments(tenant, desk.company_id, fields);
  await updateRefusedSale(tenant, waiting, { ...names, amount }, { refusal, sent, at });
  return new StoredSaleError(refusal, waiting.id);
}

/** Stores an offline sale that was refused for the first time; returns the refusal to throw. */
export async function keepNew(
  actor: Staff,
  { key, sold_at, ...fields }: ReadableFields & { readonly key: string; readonly sold_at: Instant },
  desk: NonNullable<SaleKeyOutcome['desk']>,
  { refusal, sent, at }: Refusing,
): Promise<ApiError> {
  const { tenant, id: sent_by } = actor;
  const [creator_id, amount] = await Promise.all([
    sellerOfKept(actor, fields, desk, at),
    sumStatedPayments(tenant, desk.company_id, fields),
  ]);
  const offline = { key, sold_at, cashbox_id: desk.id, creator_id, sent_by, amount };
  return new StoredSaleError(refusal, await storeRefusedSale(tenant, offline, { refusal, sent, at }));
}

/** Readable payments of a body. */
interface StatedPayments {
  readonly currency: Currency | null;
  readonly transactions: readonly {
    readonly amount: MinorUnits;
    readonly currency?: Currency | null | undefined;
  }[];
}

/**
 * Sums the payments of a refused sale in its currency: cash in another currency at today's rates, because the
 * final ones are unknown yet. No round trip without such cash.
 */
async function sumStatedPayments(
  tenant: Tenant,
  company_id: number,
  { currency: own, transactions }: StatedPayments,
): Promise<MinorUnits> {
  const isForeign = transactions.some(({ currency }) => currency && own && currency !== own);
  const { rates } = isForeign ? await ratesOf(tenant, company_id) : {};
  const sum = transactions.reduce((whole, { amount, currency }) => {
    return (
      whole + (rates && own && currency ? (paymentValueIn({ amount, currency }, own, rates) ?? 0) : amount)
    );
  }, 0);
  return Math.min(sum, MAX_AMOUNT);
}
