import { insertMissing } from '#lib/records/missing-records.ts';
import { districts } from '#lib/regions/district.ts';
import { regions } from '#lib/regions/region.ts';
import { UZBEKISTAN } from '#lib/regions/uzbekistan.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { ownersOf } from '#lib/table/transaction/names.ts';
import type { Instant } from '#lib/values/time.ts';
import { languages } from './language.ts';
import { once } from './once.ts';

const LANGUAGES = [
  { code: 'ru', name: 'Русский', is_main: true },
  { code: 'uz', name: 'Ўзбекча', is_main: false },
  { code: 'oz', name: 'O‘zbekcha', is_main: false },
];

/**
 * Makes the first records of the platform: its languages, and the regions of the country with their
 * districts. If it breaks off, doing it again finishes it. Later it never touches them, whatever has become
 * of them. Answers with what was made now.
 */
export async function makeFirstRecords(at: Instant): Promise<string[]> {
  const stamp = { created_at: at, updated_at: at, is_deleted: false };
  const made = await Promise.all([
    once('languages', at, () => makeLanguages(stamp)),
    once('regions', at, () => makeRegions(stamp)),
  ]);
  return made.flat();
}

interface Stamp {
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly is_deleted: boolean;
}

function makeLanguages(stamp: Stamp): Promise<void> {
  const makers = LANGUAGES.map((language) => (id: number) => {
    return { ...stamp, ...language, id, image: [], is_active: true };
  });
  return insertMissing(languages, PLATFORM, makers);
}

async function makeRegions(stamp: Stamp): Promise<void> {
  const makers = UZBEKISTAN.map(({ name }) => (id: number) => ({ ...stamp, id, name }));
  await insertMissing(regions, PLATFORM, makers);
  const ids = await ownersOf(
    regions.type,
    UZBEKISTAN.map(({ name }) => ({ path: 'name', scope: PLATFORM, text: name })),
  );
  for (const [index, { name, districts: rural, towns }] of UZBEKISTAN.entries()) {
    const region_id = ids[index];
    if (region_id === undefined)
      throw new Error(`The region ${name} was renamed while its districts were made`);
    const names = [...rural.map((word) => `${word} tumani`), ...towns.map((word) => `${word} shahri`)];
    const inRegion = names.map((district) => (id: number) => ({ ...stamp, id, region_id, name: district }));
    await insertMissing(districts, PLATFORM, inRegion);
  }
}
