import { expect, test } from 'vitest';
import { makeFirstRecords } from '#lib/platform/first-records.ts';
import { UZBEKISTAN } from '#lib/regions/uzbekistan.ts';
import { newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { idsOf } from '#tests/support/records.ts';

test('there are fourteen regions, each with districts of different names', () => {
  expect(UZBEKISTAN).toHaveLength(14);
  for (const { districts, towns } of UZBEKISTAN) {
    expect(new Set(districts).size).toBe(districts.length);
    expect(new Set(towns).size).toBe(towns.length);
    expect(districts.length).toBeGreaterThan(7);
  }
});

test('the demo data have them, and making them again changes nothing', async () => {
  const token = await newSuperAdministrator();
  const regions = () => idsOf('/admin/region/region', token, 'filter[name]=Toshkent');
  const [city = 0] = await regions();
  const districts = () => idsOf('/admin/region/district', token, `filter[region_id]=${city}`);
  const language = () => call('GET /admin/system/language/1', { token });
  const [found, inside, before] = [await regions(), await districts(), await language()];
  expect(found).toHaveLength(2);
  expect(inside).toHaveLength(12);
  await makeFirstRecords(Date.now());
  expect(await regions()).toEqual(found);
  expect(await districts()).toEqual(inside);
  expect((await language()).body).toEqual(before.body);
});
