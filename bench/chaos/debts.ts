import { type ClientTask, createRecord, nextStep } from './client-task.ts';
import { posting, withoutTrace } from './operation.ts';
import { dueDate } from './sell.ts';

const DEBTS = '/company/client/debt';

/** Shares of opening debts whose due date changes, that are written off, and of write-offs reversed. */
const POSTPONED = 0.3;
const WRITTEN_OFF = 0.6;
const REVERSED = 0.4;

/**
 * Opens a debt from before the first sale, and at times changes its due date, writes off some or all of it,
 * or reverses that. Others pay it at the same time.
 */
export async function openDebt(errand: ClientTask): Promise<void> {
  const { scene, chance, run } = errand;
  const owed = { client_id: scene.debtorId, currency: 'uzs', amount: chance.oneOf([0.01, 9999.99]) };
  const id = await createRecord(
    errand,
    posting('opening debt', errand, DEBTS, { ...owed, due_date: dueDate() }),
  );
  if (id === undefined) return;
  if (chance.next() < POSTPONED) {
    const request = `PATCH ${DEBTS}/${id}/due-date`;
    const json = { due_date: dueDate() };
    await run(withoutTrace('other due date', nextStep(errand, 'due'), request, { json }));
  }
  if (chance.next() < WRITTEN_OFF) await writeOff(errand, id);
}

async function writeOff(errand: ClientTask, debtId: number): Promise<void> {
  const { scene, chance, run } = errand;
  const { name } = nextStep(errand, 'write-off');
  const amount = chance.oneOf([0.01, null]);
  const request = `PATCH ${DEBTS}/${debtId}/write-off`;
  const json = { amount, comment: name };
  const id = await createRecord(errand, { name, kind: 'debt write-off', scene, request, json });
  if (id === undefined || chance.next() > REVERSED) return;
  const path = `/company/client/debt-writeoff/${id}/reverse`;
  await run(posting('reversal of a write-off', nextStep(errand, 'reverse'), path, {}));
}
