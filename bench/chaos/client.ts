import { setTimeout as pause } from 'node:timers/promises';
import { paySubscription } from './billing.ts';
import { repriceByType, repriceSome, tendCards, tendDesk, tendWebhook } from './cards.ts';
import type { ClientTask } from './client-task.ts';
import { sellByCreditSystem } from './credit.ts';
import { openDebt } from './debts.ts';
import { depositForHold, depositSome, payFromDeposit, sellFromDeposit } from './deposits.ts';
import type { ChaosFamily } from './family.ts';
import { countSome, receiveSome, sendSome } from './goods.ts';
import { holdMuch, holdSome } from './holds.ts';
import { checkList } from './list-check.ts';
import { adjustSupplier, changeSome, collectSome, moveSome, paySupplier, repaySome } from './money.ts';
import { moveDesk } from './move-desk.ts';
import { sellOffline } from './offline.ts';
import { attempt, type Caller, perform, type RunHistory } from './perform.ts';
import { sellOnLimit, sellToLoyal } from './regulars.ts';
import { checkReport } from './report-check.ts';
import { sellAndCorrect, sellMuch, sellSome } from './sell.ts';
import { sellService } from './services.ts';
import { moveSteady } from './steady.ts';
import { sellTracked } from './tracking-codes.ts';

/** The share of calls with an `Idempotency-Key`. */
const KEYED = 0.7;

/** Tasks of clients with their shares; the rest read a list or a report. */
const ERRANDS: readonly (readonly [number, (errand: ClientTask) => Promise<void>])[] = [
  [0.08, sellSome],
  [0.04, sellTracked],
  [0.04, sellOffline],
  [0.03, sellMuch],
  [0.03, sellService],
  [0.02, sellAndCorrect],
  [0.03, sellFromDeposit],
  [0.04, sellToLoyal],
  [0.03, sellOnLimit],
  [0.03, sellByCreditSystem],
  [0.06, receiveSome],
  [0.04, holdSome],
  [0.015, depositForHold],
  [0.01, holdMuch],
  [0.04, sendSome],
  [0.03, countSome],
  [0.04, moveSteady],
  [0.03, paySupplier],
  [0.015, adjustSupplier],
  [0.035, depositSome],
  [0.015, payFromDeposit],
  [0.02, openDebt],
  [0.03, repaySome],
  [0.03, moveSome],
  [0.02, changeSome],
  [0.03, collectSome],
  [0.02, paySubscription],
  [0.02, moveDesk],
  [0.02, repriceSome],
  [0.02, repriceByType],
  [0.015, tendDesk],
  [0.015, tendCards],
  [0.01, tendWebhook],
];

/** Share of reports among the remaining reads; the others are lists. */
const REPORTS = 0.6;

/** Runs a client until the end: mostly sales. */
export async function work(
  caller: Caller,
  scenes: readonly ChaosFamily[],
  client: string,
  record: RunHistory,
  isTime: () => boolean,
): Promise<void> {
  const { chance } = caller;
  const run: ClientTask['run'] = async (operation) => {
    record.begun.push(operation);
    const outcome = await perform(caller, operation, operation.isKeyed ?? chance.next() < KEYED);
    record.outcomes.push(outcome);
    return outcome;
  };
  for (let number = 1; !isTime(); number++) {
    const scene = chance.oneOf(scenes);
    const ask: ClientTask['ask'] = (request) => attempt(caller, { name: 'ask', request, scene });
    const errand = errandAt(chance.next());
    if (errand) await errand({ scene, name: `${client}-${number}`, chance, run, ask });
    else {
      const check = chance.next() < REPORTS ? checkReport : checkList;
      record.wrong.push(...(await check(caller, scene, record)));
    }
    await pause(chance.between(0, 100));
  }
}

/** Returns the task for a number from 0 up to 1. */
function errandAt(chance: number) {
  let from = 0;
  for (const [share, errand] of ERRANDS) {
    from += share;
    if (chance < from) return errand;
  }
  return undefined;
}
