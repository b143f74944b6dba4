import { setTimeout as pause } from 'node:timers/promises';
import type { Errand } from './errand.ts';
import type { ChaosFamily } from './family.ts';
import { countSome, receiveSome, sendSome } from './goods.ts';
import { sellLate } from './late.ts';
import { checkList } from './list-check.ts';
import { sellMarked } from './marks.ts';
import { collectSome, moveSome, paySupplier, repaySome } from './money.ts';
import { attempt, type Caller, perform, type Story } from './perform.ts';
import { holdSome, sellMuch, sellSome } from './sell.ts';

/** The share of calls with an `Idempotency-Key`. */
const KEYED = 0.7;

/** What clients do, each by its share; the rest look at a list. */
const ERRANDS: readonly (readonly [number, (errand: Errand) => Promise<void>])[] = [
  [0.28, sellSome],
  [0.06, sellMarked],
  [0.06, sellLate],
  [0.08, sellMuch],
  [0.12, receiveSome],
  [0.1, holdSome],
  [0.06, sendSome],
  [0.03, countSome],
  [0.04, paySupplier],
  [0.03, repaySome],
  [0.03, moveSome],
  [0.03, collectSome],
];

/** Works as a client until the end: mostly sells. */
export async function work(
  caller: Caller,
  scenes: readonly ChaosFamily[],
  client: string,
  record: Story,
  isTime: () => boolean,
): Promise<void> {
  const { chance } = caller;
  const run: Errand['run'] = async (operation) => {
    record.begun.push(operation);
    const told = await perform(caller, operation, operation.isKeyed ?? chance.next() < KEYED);
    record.told.push(told);
    return told;
  };
  for (let number = 1; !isTime(); number++) {
    const scene = chance.oneOf(scenes);
    const ask: Errand['ask'] = (request) => attempt(caller, { name: 'ask', request, scene });
    const errand = errandAt(chance.next());
    if (errand) await errand({ scene, name: `${client}-${number}`, chance, run, ask });
    else record.wrong.push(...(await checkList(caller, scene, record)));
    await pause(chance.between(0, 100));
  }
}

/** Finds the errand that a number from 0 up to 1 stands for. */
function errandAt(chance: number) {
  let from = 0;
  for (const [share, errand] of ERRANDS) {
    from += share;
    if (chance < from) return errand;
  }
  return undefined;
}
