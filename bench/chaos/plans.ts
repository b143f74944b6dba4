import { setTimeout as pause } from 'node:timers/promises';
import { type Due, readDue } from '#lib/records/due.ts';
import { REPRICING_DUE } from '#lib/trade/repricing/plan.ts';

/** A plan is due within two minutes, is looked for each minute, and its worker may have been killed. */
const PATIENCE_MS = 300_000;

/** Waits until all planned repricings are made or canceled; returns those that are neither. */
export async function waitForRepricings(): Promise<readonly Due[]> {
  for (const end = performance.now() + PATIENCE_MS; ; await pause(1000)) {
    const left = await listPlans();
    if (left.length === 0 || performance.now() > end) return left;
  }
}

async function listPlans(): Promise<Due[]> {
  const found: Due[] = [];
  for await (const due of readDue(REPRICING_DUE, Number.MAX_SAFE_INTEGER)) found.push(...due);
  return found;
}
