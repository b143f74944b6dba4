import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitEvery } from '#lib/values/concurrency.ts';
import { newDay } from '#tests/journeys/random-day/day.ts';
import { live } from '#tests/journeys/random-day/live.ts';
import { anyStep } from '#tests/journeys/random-day/steps.ts';
import { newFamily } from '#tests/support/family.ts';
import { expectAsListed, SyncReader, TYPES } from '#tests/support/sync.ts';
import { insertUser } from '#tests/support/users.ts';

const PEOPLE = 3;
const STEPS_EACH = 30;

/**
 * Creates a family that people have traded in, and the token of a director of all of it, and of the branch.
 */
async function newLivedDay() {
  const day = await newDay(PEOPLE);
  const steps = fc.sample(anyStep, { seed: 7, numRuns: PEOPLE * STEPS_EACH });
  const ways = splitEvery(
    steps.map((step) => ({ ...step, kill: null })),
    STEPS_EACH,
  );
  await Promise.all(day.actors.map((actor, index) => live(day, actor, ways[index] ?? [])));
  const place = { type: 'director', family_id: day.companyId } as const;
  const [whole, ofBranch] = await Promise.all([
    insertUser({ ...place, company_id: day.companyId }),
    insertUser({ ...place, company_id: day.branch.companyId, are_all_companies_available: false }),
  ]);
  return { day, director: whole.token, branchDirector: ofBranch.token };
}

test('the page that ends the first part says has_more: true, also if nothing follows (Part 4, 4.1 (8))', async () => {
  const { director } = await newFamily();
  const copy = new SyncReader(director, { types: ['product.brand'] });
  expect([await copy.readPage(), copy.pages]).toEqual([true, [[]]]);
  expect([await copy.readPage(), copy.pages]).toEqual([false, [[], []]]);
});

test('first everything comes, by type in the order asked and by id, as the lists give it (Part 4, 4.1 (1))', async () => {
  const { director, branchDirector } = await newLivedDay();
  for (const token of [director, branchDirector]) {
    const copy = await new SyncReader(token).catchUp();
    // A record created a moment ago may come once more, among the changes.
    const names = new Set(copy.pages.flat().map(({ type, id }) => `${TYPES.indexOf(type)} ${id}`));
    const places = [...names].map((name) => name.split(' ').map(Number));
    const inOrder = places.toSorted(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d);
    expect(places).toEqual(inOrder);
    await expectAsListed(copy, token);
  }
  const small = await new SyncReader(director, { limit: 7 }).catchUp();
  expect(Math.max(...small.pages.map(({ length }) => length))).toBe(7);
  await expectAsListed(small, director);
});
