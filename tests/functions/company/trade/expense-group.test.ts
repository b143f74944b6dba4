import { expect, test } from 'vitest';
import * as z from 'zod';
import { newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { make } from '#tests/support/records.ts';
import { SHIFTS } from '#tests/support/shifts.ts';

const REASONS = '/company/cashbox/reason';
const NAME = 'Расходы касс';

const Leaf = z.object({ id: z.int(), parent: z.strictObject({ id: z.int(), name: z.string() }) });

/** Adds an expense of cash desks, and returns it and its group. */
async function addExpense(token: string, name: string) {
  const { body } = await call(`POST ${SHIFTS}/expense-reasons`, { token, json: { name } });
  return Leaf.parse(body);
}

function edit(token: string, id: number, json: object) {
  return call(`PUT ${REASONS}/${id}`, { token, json: { type: 'outcome', ...json } });
}

function remove(token: string, id: number) {
  return call(`DELETE ${REASONS}/${id}`, { token });
}

test('expenses of desks are added to their group also after it is renamed, moved and deleted', async () => {
  const { director: token } = await newFamily();
  const { id: taxi, parent: group } = await addExpense(token, 'Такси');
  expect(group.name).toBe(NAME);
  expect((await edit(token, group.id, { name: 'Мелочи' })).body).not.toHaveProperty('is_of_desks');
  // Another reason may then have the name, and is not the group.
  await make(REASONS, token, { type: 'outcome', name: NAME });
  const { id: lunch, parent: renamed } = await addExpense(token, 'Обед');
  expect(renamed).toEqual({ id: group.id, name: 'Мелочи' });

  const above = await make(REASONS, token, { type: 'outcome', name: 'Магазин' });
  expect((await edit(token, group.id, { name: 'Мелочи', parent_id: above })).status).toBe(200);
  const { id: water, parent: moved } = await addExpense(token, 'Вода');
  expect(moved).toEqual(renamed);

  for (const id of [taxi, lunch, water, group.id]) expect((await remove(token, id)).status).toBe(200);
  expect(await addExpense(token, 'Такси')).toEqual({ id: taxi, parent: renamed });
});

test('a group that is deleted with the one it stood under is made anew', async () => {
  const { director: token } = await newFamily();
  const { id: taxi, parent: group } = await addExpense(token, 'Такси');
  const parent_id = await make(REASONS, token, { type: 'outcome', name: 'Магазин' });
  await edit(token, group.id, { name: 'Мелочи', parent_id });
  for (const id of [taxi, group.id, parent_id]) expect((await remove(token, id)).status).toBe(200);
  const { parent: made } = await addExpense(token, 'Такси');
  expect(made).toEqual({ id: expect.any(Number), name: NAME });
  expect(made.id).not.toBe(group.id);
  expect((await addExpense(token, 'Обед')).parent).toEqual(made);
});

test('a group of before, which bears no mark, is known by its name, and then by the mark it gets', async () => {
  const { director: token } = await newFamily();
  const group = await make(REASONS, token, { type: 'outcome', name: NAME });
  expect((await addExpense(token, 'Такси')).parent).toEqual({ id: group, name: NAME });
  expect((await edit(token, group, { name: 'Мелочи' })).status).toBe(200);
  const added = await Promise.all(['Обед', 'Вода', 'Чай'].map((name) => addExpense(token, name)));
  for (const { parent } of added) expect(parent).toEqual({ id: group, name: 'Мелочи' });
});
