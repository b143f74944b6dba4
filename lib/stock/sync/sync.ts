import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { fullText, Product, products } from '#lib/catalog/card.ts';
import { embed } from '#lib/records/query/embeds.ts';
import { vouch } from '#lib/records/stored.ts';
import { isBusy } from '#lib/table/busy.ts';
import { keyIfAny, recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { Refusal, unavailable } from '#lib/values/refusal.ts';
import { sayRefusal } from '#lib/values/refusal-text.ts';
import type { Locale } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import type { ProductSyncInput, SyncRow } from './row.ts';
import { type RowOutcome, syncRow } from './write.ts';

/** Time for the rows of a call; the rest of a function's is for the answer. */
export const SYNC_MS = 20_000;

const Texts = z.record(z.string(), z.array(z.string())).nullable();

/** What became of the rows, in their order. */
export const SyncAnswer = z.object({
  data: z.array(
    z.object({
      external_id: z.string(),
      status: z.int(),
      outcome: z.enum(['made', 'changed', 'same', 'deleted']).nullable(),
      product: Product.nullable(),
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
 * Brings products to what another system says of them, each row for itself, one after the other: a variant
 * may stand below its main card. What the time does not reach is 503, to be sent again. Part 4, 4.3.
 */
export async function syncProducts(
  actor: Staff,
  { products: rows }: z.output<typeof ProductSyncInput>,
  { at, locale, isTimeUp }: Occasion,
): Promise<z.input<typeof SyncAnswer>> {
  const ended: (RowOutcome | Refusal)[] = [];
  for (const row of rows) ended.push(isTimeUp() ? unavailable() : await tryRow(actor, row, at));
  const shown = await readProducts(actor, ended);
  const data = rows.map(({ external_id }, index) => {
    const told = ended[index] ?? unavailable();
    const row = { ...NOTHING, external_id, status: told instanceof Refusal ? told.status : 200 };
    if (told instanceof Refusal) return { ...row, ...sayRefusal(locale, told) };
    return { ...row, outcome: told.outcome, product: shown[index] ?? null };
  });
  return { data };
}

const NOTHING = { outcome: null, product: null, message: null, code: null, errors: null, codes: null };

/** Tries a row; what refuses it is its alone. */
async function tryRow(actor: Staff, row: SyncRow, at: Instant): Promise<RowOutcome | Refusal> {
  try {
    return await syncRow(actor, row, at);
  } catch (error) {
    if (error instanceof Refusal) return error;
    if (isBusy(error)) return unavailable();
    throw error;
  }
}

/** Reads the rows' products as they are now, with their names. Two round trips. */
async function readProducts({ home }: Staff, ended: readonly (RowOutcome | Refusal)[]) {
  const ids = ended.map((each) => (each instanceof Refusal ? undefined : each.id));
  const keys = ids.map((id) => keyIfAny(id, (known) => recordKey(products.type, home, known)));
  const items = await getItems(keys);
  const whole = await embed(
    items.map((item) => item ?? {}),
    [fullText],
  );
  return whole.map((item, index) => (items[index] ? vouch(Product, item) : undefined));
}
