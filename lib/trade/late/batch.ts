import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { Sale } from '#lib/trade/sale/record.ts';
import type { SaleOutcome } from '#lib/trade/till/sell.ts';
import { KeptRefusal, Refusal } from '#lib/values/refusal.ts';
import { sayRefusal } from '#lib/values/refusal-text.ts';
import type { Locale } from '#lib/values/text.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';
import { tryEntry } from './entry.ts';

/** Time for the sales of a call; the rest of a function's is for the answer. Part 4, 4.4, 4. */
export const BATCH_MS = 20_000;

const MOST_A_CALL = 50;

/** Input to sell what a till sold without a network. Each entry is judged for itself. */
export const SaleBatchInput = z.object({
  sales: z
    .array(
      z.unknown().meta({
        type: 'object',
        additionalProperties: true,
        description: 'The body of a sale, with its `key`.',
      }),
    )
    .min(1)
    .max(MOST_A_CALL),
});

const Texts = z.record(z.string(), z.array(z.string())).nullable();

/** What became of the entries, in their order. */
export const SaleBatchAnswer = z.object({
  now: Timestamp,
  data: z.array(
    z.object({
      key: z.string().nullable(),
      status: z.int(),
      is_replayed: z.boolean(),
      sale: Sale.nullable(),
      refused_id: z.int().nullable(),
      message: z.string().nullable(),
      code: z.string().nullable(),
      errors: Texts,
      codes: Texts,
    }),
  ),
});

/** How a call is answered, and how long it may work. */
interface Occasion {
  readonly at: Instant;
  readonly locale: Locale;
  readonly isTimeUp: () => boolean;
}

/**
 * Sells what a till sold without a network, one after the other, each in a transaction of its own. What the
 * time does not reach is 503, to be sent again. Part 4, 4.4, 4.
 */
export async function sellBatch(
  actor: Staff,
  { sales: entries }: z.output<typeof SaleBatchInput>,
  { at, locale, isTimeUp }: Occasion,
): Promise<z.input<typeof SaleBatchAnswer>> {
  const data: z.input<typeof SaleBatchAnswer>['data'] = [];
  for (const sent of entries) {
    const outcome = isTimeUp() ? notReached() : await tryEntry(actor, sent, at);
    data.push({ ...NOTHING, key: keyIn(sent), ...rowOf(outcome, locale) });
  }
  return { now: at, data };
}

const NOTHING = {
  is_replayed: false,
  sale: null,
  refused_id: null,
  message: null,
  code: null,
  errors: null,
  codes: null,
};

function rowOf(outcome: SaleOutcome | Refusal, locale: Locale) {
  if (!(outcome instanceof Refusal)) {
    return { status: 200, sale: outcome.sale, is_replayed: outcome.isReplayed };
  }
  const refused_id = outcome instanceof KeptRefusal ? outcome.refusedId : null;
  return { status: outcome.status, refused_id, ...sayRefusal(locale, outcome) };
}

function notReached(): Refusal {
  return new Refusal(503, { key: 'http.try_again' });
}

const Keyed = z.object({ key: z.string() });

function keyIn(sent: unknown): string | null {
  return Keyed.safeParse(sent).data?.key ?? null;
}
