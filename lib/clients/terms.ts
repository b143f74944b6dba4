import * as z from 'zod';
import { hasRight, type Staff } from '#lib/auth/actor.ts';
import { readPriceTypes } from '#lib/catalog/price-type.ts';
import { byCurrency } from '#lib/values/money.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { History, mapSpans, type Span } from '#lib/values/value-history.ts';
import type { ClientInput } from './client-input.ts';
import { type DebtLimits, limitsAfter, NO_LIMITS } from './debt-limits.ts';

/** Right to sell by a price type other than the client's, and to change a client's. Part 5, 5A.14, 2. */
export const NAME_PRICE_TYPE = 'company.trade.sale.price-type';

/** Terms that a client buys on. */
export interface Terms {
  readonly debt_limits: DebtLimits;
  /** Absent from clients stored before it. */
  readonly price_type_id?: number | null | undefined;
}

/** Terms of a client that exist in full. */
type FullTerms = Terms & { readonly price_type_id: number | null };

/** Terms of a new client, unless its form has others. */
export const NEW_TERMS: FullTerms = { debt_limits: NO_LIMITS, price_type_id: null };

const Limit = z.int().nullable();
// The price type is absent from entries that predate it.
const Entry = z.tuple([Limit, Limit, Limit, Limit, z.int().nullable().optional()]);

const history = new History(
  Entry,
  ({ debt_limits: { uzs, usd, eur, rub }, price_type_id = null }: Terms): z.output<typeof Entry> => {
    return [uzs, usd, eur, rub, price_type_id];
  },
);

/** Records a client's terms before a change. */
export const keepTerms = history.keep.bind(history);

/** Returns a client's past limits, the present ones first. */
export function limitSpans(client: Terms): Span<DebtLimits>[] {
  return mapSpans(history.spans(client), (terms) => byCurrency((_, index) => terms[index] ?? null));
}

/** Returns the ids of a client's past price types, the present one first. */
export function priceTypeIdSpans(client: Terms): Span<number | null>[] {
  return mapSpans(history.spans(client), ([, , , , id = null]) => id);
}

/**
 * Computes a client's terms after a form. 422 if it changes limits or the price type without the right, and
 * if the price type does not exist. One round trip if it names another price type.
 */
export async function termsAfter(
  actor: Staff,
  before: Terms | undefined,
  input: Pick<ClientInput, 'debt_limits' | 'price_type_id'>,
): Promise<FullTerms> {
  const { price_type_id: had = null } = before ?? {};
  const { price_type_id = had } = input;
  const issues = new ValidationIssues();
  const debt_limits = limitsAfter(actor, before?.debt_limits, input.debt_limits, issues);
  const isOther = price_type_id !== had;
  if (isOther && !hasRight(actor, NAME_PRICE_TYPE))
    issues.add('price_type_id', { key: 'price_type.forbidden', with: { right: NAME_PRICE_TYPE } });
  if (isOther && price_type_id !== null) {
    const types = await readPriceTypes(actor.tenant);
    if (types.get(price_type_id)?.is_deleted !== false) issues.add('price_type_id', 'validation.not_found');
  }
  issues.throwIfAny();
  return { debt_limits, price_type_id };
}
