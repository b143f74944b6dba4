import { expect, test } from 'vitest';
import { billMissing } from '#bin/local/missing-items.ts';
import type { Staff } from '#lib/access/actor.ts';
import type { CopiedType } from '#lib/records/copied-type.ts';
import { CopyQuery, sync } from '#lib/sync/sync.ts';
import { inScope, newMeter, roundTripsOf, unitsOf, writeUnitsOf } from '#lib/table/call-scope.ts';
import { newDay } from '#tests/journeys/random-day/day.ts';
import { TYPES } from '#tests/kit/copy.ts';
import { directorAs, newFamily } from '#tests/kit/family.ts';

// So that units are what AWS bills.
billMissing();

async function measure(
  actor: Staff,
  asked: { types?: readonly CopiedType[]; cursor?: string; limit?: number },
) {
  const meter = newMeter();
  const query = CopyQuery.parse(asked);
  const page = await inScope({ meter }, () => sync({ actor, query, at: Date.now(), locale: 'ru' }));
  const { calls } = meter;
  // What counting costs is outside the figures.
  const reading = { ...meter, calls: calls.filter(({ isWrite }) => !isWrite) };
  return { ...page, units: unitsOf(reading), trips: roundTripsOf(reading), written: writeUnitsOf(meter) };
}

test('an empty page costs at most 3 units and one round trip beside those of knowing the caller', async () => {
  const { directorId, companyId } = await newFamily();
  const actor = directorAs(directorId, companyId);
  let page = await measure(actor, { types: ['client.client', 'product.service'] });
  while (page.has_more) page = await measure(actor, { cursor: page.cursor });
  const empty = await measure(actor, { cursor: page.cursor });
  expect(empty).toMatchObject({ data: [], has_more: false, trips: 1 });
  expect(empty.units).toBeLessThanOrEqual(3);
}, 30_000);

test('a page of 200 costs at most 5 round trips with those of knowing the caller', async () => {
  const day = await newDay(1);
  const [actor] = day.actors;
  if (!actor) throw new Error('Nobody is there');
  let page = await measure(actor, { types: TYPES, limit: 200 });
  const trips = [page.trips];
  while (page.has_more) {
    page = await measure(actor, { cursor: page.cursor, limit: 200 });
    trips.push(page.trips);
  }
  expect(Math.max(...trips)).toBeLessThanOrEqual(4);
}, 60_000);
