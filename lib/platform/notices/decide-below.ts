import type { Instant } from '#lib/values/time.ts';

const HOUR_MS = 3_600_000;

/** A company's products under their minimum at the last look, and the time of the latest notification. */
interface Before {
  readonly products: readonly number[];
  readonly notified_at: Instant;
}

/** Products that were looked at, all if `ids` is undefined, and those of them under their minimum. */
interface Below<C> {
  readonly ids: ReadonlySet<number> | undefined;
  readonly cards: readonly C[];
}

/**
 * Decides on a company's products under their minimum: which they are now, and which of them are new and
 * notified of. `same` if they are those of the last look; `later` if there are new ones in the hour of the
 * latest notification. Part 5, 5B.11.
 */
export function decideBelow<C extends { readonly id: number }>(
  before: Before | undefined,
  { ids, cards }: Below<C>,
  at: Instant,
) {
  const { products: known, notified_at } = before ?? { products: [], notified_at: 0 };
  const [was, below] = [new Set(known), new Set(cards.map(({ id }) => id))];
  const kept = known.filter((id) => below.has(id) || (ids && !ids.has(id)));
  const fresh = cards.filter(({ id }) => !was.has(id));
  if (fresh.length === 0 && kept.length === known.length) return 'same';
  if (fresh.length > 0 && hourOf(notified_at) === hourOf(at)) return 'later';
  const after = [...kept, ...fresh.map(({ id }) => id)].sort((a, b) => a - b);
  return { ids: after, fresh, notified_at: fresh.length > 0 ? at : notified_at };
}

function hourOf(at: Instant): number {
  return Math.floor(at / HOUR_MS);
}
