import { setTimeout as pause } from 'node:timers/promises';
import { checkList } from './list-check.ts';
import {
  completion,
  largeSale,
  type Operation,
  payment,
  receipt,
  smallSale,
  wholeReturn,
} from './operation.ts';
import type { Chance } from './random.ts';
import type { Scene } from './scene.ts';
import { type Caller, perform, type Story, type Told } from './told.ts';

/** The share of calls with an `Idempotency-Key`. */
const KEYED = 0.7;

/** How many of the small cheques are returned whole. */
const RETURNED = 0.25;

/** Works as a client until the end: mostly sells. */
export async function work(
  caller: Caller,
  scenes: readonly Scene[],
  name: string,
  record: Story,
  isTime: () => boolean,
): Promise<void> {
  const { chance } = caller;
  const run: Run = async (operation) => {
    record.begun.push(operation);
    const told = await perform(caller, operation, chance.next() < KEYED);
    record.told.push(told);
    return told;
  };
  for (let number = 1; !isTime(); number++) {
    const scene = chance.oneOf(scenes);
    const label = `${name}-${number}`;
    const kind = chance.next();
    if (kind < 0.54) await sellSome(run, scene, label, chance);
    else if (kind < 0.66) await run(largeSale(scene, label, chance));
    else if (kind < 0.82) await receiveSome(run, scene, label, chance);
    else if (kind < 0.9) await run(payment(scene, label, chance));
    else record.wrong.push(...(await checkList(caller, scene, record)));
    await pause(chance.between(0, 100));
  }
}

type Run = (operation: Operation) => Promise<Told>;

/** Sells a small cheque, and at times takes all of it back. */
async function sellSome(run: Run, scene: Scene, label: string, chance: Chance): Promise<void> {
  const sale = smallSale(scene, label, chance);
  const { ids, outcome } = await run(sale);
  const [id] = ids;
  const isReturned = outcome === 'done' && chance.next() < RETURNED;
  if (isReturned && id !== undefined) await run(wholeReturn(sale, `${label}-return`, id));
}

/** Makes a receipt and completes it. */
async function receiveSome(run: Run, scene: Scene, label: string, chance: Chance): Promise<void> {
  const { ids, outcome } = await run(receipt(scene, label, chance));
  const [id] = ids;
  if (outcome === 'done' && id !== undefined) await run(completion(scene, `${label}-complete`, id));
}
