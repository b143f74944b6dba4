import { deletionSpans, type PriceTypes, readPriceTypes } from '#lib/catalog/price-type.ts';
import { NAME_PRICE_TYPE, priceTypeIdSpans, type Terms } from '#lib/clients/terms.ts';
import type { Tenant } from '#lib/table/keys.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import { mapSpans, type Span } from '#lib/values/value-history.ts';
import { type Pricing, type SalePriceType, unlessAccepted } from './price.ts';

/** A value that has always applied. */
const always = <T>(value: T): Span<T>[] => [
  { value, from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY },
];

/** Price types by which a sale may be priced. */
interface NamedPriceType {
  /** Type in its body. */
  readonly named: number | null;
  /** Ids of its client's types, the present one first; none without a client. */
  readonly ofClient: readonly Span<number | null>[];
  readonly types: PriceTypes;
}

/**
 * Returns the price types of a sale over time, the present one first: the type that it names, or else its
 * client's. A deleted type counts as none. Part 5, 5A.14, 2.
 */
export function priceTypeSpans({ named, ofClient, types }: NamedPriceType): Span<SalePriceType>[] {
  const clients = (ofClient.length === 0 ? always(null) : ofClient).flatMap((span) =>
    within(liveSpans(span.value, types), span),
  );
  const own = liveSpans(named, types);
  return clients.flatMap((span) =>
    mapSpans(within(own, span), (id) =>
      id === null ? { id: span.value, isClients: true } : { id, isClients: id === span.value },
    ),
  );
}

/** Returns the price types that a sale may have: the type that it names, and those of its client. */
export function priceTypesFor(
  named: number | null = null,
  client: Terms | undefined,
  types: PriceTypes,
): NamedPriceType {
  return { named, ofClient: client ? priceTypeIdSpans(client) : [], types };
}

/** Reads the price types that a sale may need: none if it names none and has no client. One round trip. */
export async function readTypesFor(
  tenant: Tenant,
  sale: {
    readonly price_type_id?: number | null | undefined;
    readonly client_id?: number | null | undefined;
  },
): Promise<PriceTypes> {
  const { price_type_id = null, client_id = null } = sale;
  return price_type_id === null && client_id === null ? new Map() : readPriceTypes(tenant);
}

/** Returns true if the type that a sale names exists, deleted or not. */
export function isPriceTypeKnown({ named, types }: NamedPriceType): boolean {
  return named === null || types.has(named);
}

/** Returns the price type of a sale now. */
export function presentPriceType(sale: NamedPriceType): SalePriceType {
  return priceTypeSpans(sale)[0]?.value ?? { id: null, isClients: true };
}

/** Returns the times in which a price type applied; null in those in which it was deleted. */
function liveSpans(id: number | null, types: PriceTypes): Span<number | null>[] {
  const type = id === null ? undefined : types.get(id);
  return type ? mapSpans(deletionSpans(type), (isDeleted) => (isDeleted ? null : type.id)) : always(null);
}

/** Returns the parts of spans within another. */
function within<T>(spans: readonly Span<T>[], { from, until }: Span<unknown>): Span<T>[] {
  return spans
    .filter((span) => span.from < until && span.until > from)
    .map((span) => ({ ...span, from: Math.max(from, span.from), until: Math.min(until, span.until) }));
}

/** Requires the right to sell by a price type that is not the client's. Part 5, 5A.14, 2. */
export function checkPriceType(
  pricing: Pick<Pricing, 'priceType' | 'canNamePriceType' | 'areAccepted'>,
  issues: ValidationIssues,
): void {
  const { priceType, canNamePriceType } = pricing;
  if (!priceType || priceType.isClients || canNamePriceType) return;
  // The client's type depends on the client.
  unlessAccepted(pricing, issues.unless('client_id')).add('price_type_id', {
    key: 'price_type.forbidden',
    with: { right: NAME_PRICE_TYPE },
  });
}
