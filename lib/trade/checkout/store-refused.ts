import type { Staff } from '#lib/auth/actor.ts';
import { type StatedPayments, sumStatedPayments } from '#lib/trade/refused/amount.ts';
import { storeRefusedSale, updateRefusedSale } from '#lib/trade/refused/store.ts';
import type { SaleInput } from '#lib/trade/sale/input.ts';
import { type ApiError, StoredSaleError } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';
import { deskRefusal, replaySale, type SaleKeyOutcome, type SaleOutcome } from './idempotent-sale.ts';
import { sellerOfKept } from './seller.ts';

/** A refusal of a sale, and the body that was refused. */
interface Refusing {
  readonly refusal: ApiError;
  /** As it was sent; undefined if it is one that is kept. */
  readonly sent?: unknown;
  readonly isRetry?: true | undefined;
  readonly at: Instant;
}

/** What is told of a refused sale, as far as its body can be read. */
interface Told extends StatedPayments {
  readonly key: string | null;
  readonly sold_at: Instant | null;
  readonly creator_id: number | null;
}

/** Tells refusals for which a sale is kept: of those to be sent again nothing is known. Part 4, 4.4, 5. */
export function isStorable({ status }: Pick<ApiError, 'status'>): boolean {
  return status !== 409 && status !== 429 && status !== 503;
}

/** Keeps a sale that waits and was refused again, and gives the refusal that says so. */
export async function updateIfWaiting(
  actor: Staff,
  told: Told,
  { desk, waiting }: SaleKeyOutcome,
  { refusal, sent, isRetry, at }: Refusing,
): Promise<ApiError> {
  if (!desk || !waiting || !isStorable(refusal)) return refusal;
  const { tenant, id } = actor;
  const names = isRetry
    ? { creator_id: waiting.creator_id, retried_by: id }
    : { creator_id: await sellerOfKept(actor, told, desk, at), sent_by: id };
  const amount = await sumStatedPayments(tenant, desk.company_id, told);
  await updateRefusedSale(tenant, waiting, { ...names, amount }, { refusal, sent, at });
  return new StoredSaleError(refusal, waiting.id);
}

/** Keeps a late sale that was refused for the first time, and gives the refusal that says so. */
export async function keepNew(
  actor: Staff,
  { key, sold_at, ...told }: Told & { readonly key: string; readonly sold_at: Instant },
  desk: NonNullable<SaleKeyOutcome['desk']>,
  { refusal, sent, at }: Refusing,
): Promise<ApiError> {
  const { tenant, id: sent_by } = actor;
  const [creator_id, amount] = await Promise.all([
    sellerOfKept(actor, told, desk, at),
    sumStatedPayments(tenant, desk.company_id, told),
  ]);
  const offline = { key, sold_at, cashbox_id: desk.id, creator_id, sent_by, amount };
  return new StoredSaleError(refusal, await storeRefusedSale(tenant, offline, { refusal, sent, at }));
}

/** Ends a sale that was refused: tells it if it is known by now, else keeps it if it waits. */
export async function endRefused(
  actor: Staff,
  input: SaleInput,
  known: SaleKeyOutcome | undefined,
  refusing: Refusing,
): Promise<SaleOutcome> {
  const { refusal, at } = refusing;
  if (!known) throw refusal;
  if (known.sale) return replaySale(actor, known.sale, input, at);
  if (!known.desk) throw deskRefusal(refusal);
  throw await updateIfWaiting(actor, input, known, refusing);
}
