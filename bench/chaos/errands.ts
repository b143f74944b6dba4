import * as z from 'zod';
import type { ChaosFamily } from './family.ts';
import {
  addToHold,
  counting,
  exchangeLine,
  newCount,
  newHold,
  newTransfer,
  newWriteOff,
  receipt,
  saleOfHold,
} from './goods.ts';
import { newCollection, newShift, shiftEnd } from './money.ts';
import { changing, type ErrandStep, smallSale, wholeReturn } from './operation.ts';
import { attempt, type Caller, type StepOutcome } from './perform.ts';

/** What a client is about to do, and where. */
export interface Errand {
  readonly caller: Caller;
  readonly scene: ChaosFamily;
  readonly label: string;
  readonly run: (operation: ErrandStep) => Promise<StepOutcome>;
}

/** How many of the small cheques are returned whole, and of how many a line is exchanged. */
const RETURNED = 0.25;
const EXCHANGED = 0.25;

/** Sells a small cheque, and at times takes all of it back, or a line of it for other goods. */
export async function sellSome({ caller, scene, label, run }: Errand): Promise<void> {
  const { chance } = caller;
  const sale = smallSale(scene, label, chance);
  const [id] = await idsOfDone(run, sale);
  const fate = chance.next();
  if (id === undefined || fate > RETURNED + EXCHANGED) return;
  if (fate < RETURNED) return void (await run(wholeReturn(sale, `${label}-return`, id)));
  const [line] = await linesAt({ caller, scene }, `/company/trade/sale/${id}`, SoldLine);
  if (line) await run(exchangeLine(scene, `${label}-exchange`, { id, line }, chance));
}

/** Holds goods, at times some more, and sells or cancels the hold, or leaves it. */
export async function holdSome({ caller: { chance }, scene, label, run }: Errand): Promise<void> {
  const [first = 0, second = 0] = chance.some(scene.hot, 2);
  const [id] = await idsOfDone(run, newHold(scene, label, first, chance));
  if (id === undefined) return;
  let outcome: StepOutcome['outcome'] = 'refused';
  if (chance.next() < 0.5) {
    const more = addToHold(scene, `${label}-add`, { id, product_id: second }, chance);
    ({ outcome } = await run(more));
  }
  const fate = chance.next();
  // What nobody knows to be in it can't be paid for.
  if (fate < 0.4 || outcome === 'unknown') await run(changing('cancel', scene, `${label}-cancel`, id));
  else if (fate < 0.9)
    await run(saleOfHold(scene, `${label}-sale`, { id, isGrown: outcome === 'done' }, chance));
}

/** Makes a receipt and completes it, and at times writes a little of it off. */
export async function receiveSome({ caller, scene, label, run }: Errand): Promise<void> {
  const { chance } = caller;
  const [id] = await idsOfDone(run, receipt(scene, label, chance));
  if (id === undefined) return;
  const { outcome } = await run(changing('receipt', scene, `${label}-complete`, id));
  if (outcome !== 'done' || chance.next() < 0.5) return;
  const [line] = await linesAt({ caller, scene }, `/company/trade/purchase/${id}`, BoughtLine);
  if (!line) return;
  const [lost] = await idsOfDone(run, newWriteOff(scene, `${label}-loss`, id, line));
  if (lost !== undefined) await run(changing('write-off', scene, `${label}-loss-complete`, lost));
}

/** Sends goods to the other warehouse, where most arrive. */
export async function sendSome({ caller: { chance }, scene, label, run }: Errand): Promise<void> {
  const [id] = await idsOfDone(run, newTransfer(scene, label, chance));
  if (id === undefined) return;
  const end = chance.next() < 0.8 ? 'arrival' : 'way back';
  await run(changing(end, scene, `${label}-end`, id));
}

/** Counts goods. Whatever goes wrong, the warehouse is open in the end, so that others can go on. */
export async function countSome({ caller, scene, label, run }: Errand): Promise<void> {
  const { chance } = caller;
  const { outcome, ids } = await run(newCount(scene, label, chance));
  if (outcome === 'refused') return;
  const [id] = ids;
  if (outcome === 'done' && id !== undefined) {
    const positions = await linesAt({ caller, scene }, `/company/trade/inventory/${id}`, CountedLine);
    const counted = positions.length > 0 && (await run(counting(scene, `${label}-add`, id, positions)));
    const isWanted = chance.next() < 0.8 && counted && counted.outcome === 'done';
    if (isWanted && (await run(changing('count', scene, `${label}-complete`, id))).outcome === 'done') return;
  }
  await openWarehouses({ caller, scene });
}

/** Collects a desk, after its shift if it has one, confirms what was collected, and opens the next shift. */
export async function collectSome({ caller, scene, label, run }: Errand): Promise<void> {
  const { chance } = caller;
  if (scene.hasShifts) {
    const [open] = await rowsOf({ caller, scene }, '/company/trade/cashbox-shift?filter[status]=open');
    if (open) await run(shiftEnd(scene, `${label}-shift`, open.id, chance));
  }
  const [id] = await idsOfDone(run, newCollection(scene, label, chance));
  if (id !== undefined && chance.next() < 0.8)
    await run(changing('collection', scene, `${label}-confirm`, id));
  if (scene.hasShifts) await run(newShift(scene, `${label}-open`, chance));
}

const SoldLine = z.object({ id: z.int(), sold_quantity: z.number() });
const BoughtLine = z.object({ id: z.int(), product_id: z.int() });
const CountedLine = z.object({ id: z.int(), stock_quantity: z.number() });
const Rows = z.object({ data: z.array(z.object({ id: z.int() })) });

async function idsOfDone(run: Errand['run'], operation: ErrandStep): Promise<readonly number[]> {
  const { outcome, ids } = await run(operation);
  return outcome === 'done' ? ids : [];
}

/** Reads the lines of a document; none if no answer comes. */
async function linesAt<S extends z.ZodType>(
  { caller, scene }: Pick<Errand, 'caller' | 'scene'>,
  path: string,
  line: S,
): Promise<z.output<S>[]> {
  const { body } = await attempt(caller, { name: 'look', request: `GET ${path}`, scene });
  return z.object({ products: z.array(line) }).safeParse(body).data?.products ?? [];
}

/** Asks for a list until it is answered. */
async function rowsOf({ caller, scene }: Pick<Errand, 'caller' | 'scene'>, path: string) {
  for (let looks = 0; looks < 10; looks++) {
    const { body } = await attempt(caller, { name: 'look', request: `GET ${path}`, scene });
    const rows = Rows.safeParse(body).data?.data;
    if (rows) return rows;
  }
  return [];
}

/** Cancels the counts that somebody has left open, until there are none. */
async function openWarehouses({ caller, scene }: Pick<Errand, 'caller' | 'scene'>): Promise<void> {
  for (let looks = 0; looks < 10; looks++) {
    const counts = await rowsOf({ caller, scene }, '/company/trade/inventory?filter[status]=in_progress');
    if (counts.length === 0) return;
    for (const { id } of counts) {
      const request = `PATCH /company/trade/inventory/${id}/cancel`;
      await attempt(caller, { name: 'cancel', request, scene });
    }
  }
}
