import { insertGroupsIfAbsent, insertIfAbsent } from '#lib/records/insert-if-absent.ts';
import { districts } from '#lib/regions/district.ts';
import { regions } from '#lib/regions/region.ts';
import { UZBEKISTAN } from '#lib/regions/uzbekistan.ts';
import type { Write } from '#lib/table/change/write.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { ownersOf } from '#lib/table/transaction/unique-constraints.ts';
import { splitEvery } from '#lib/values/concurrency.ts';
import type { Instant } from '#lib/values/time.ts';
import { languages } from './language.ts';
import { runOnceEver } from './once.ts';
import { noteShape, whyUnreadable } from './shape.ts';

const LANGUAGES = [
  { code: 'ru', name: 'Русский', is_main: true },
  { code: 'uz', name: 'Ўзбекча', is_main: false },
  { code: 'oz', name: 'O‘zbekcha', is_main: false },
];

/**
 * Creates the platform's initial records: languages, regions and districts, after recording the schema
 * version of all later items. If interrupted, it can be repeated. Existing records are never touched, even if
 * changed since. Returns the names of the sets created.
 */
export async function makeFirstRecords(at: Instant): Promise<string[]> {
  const stamp = { created_at: at, updated_at: at, is_deleted: false };
  const unreadable = await whyUnreadable();
  if (unreadable !== undefined) throw new Error(unreadable);
  await noteShape(at);
  const made = await Promise.all([
    runOnceEver('languages', at, (note) => makeLanguages(stamp, note)),
    runOnceEver('regions', at, (note) => makeRegions(stamp, note)),
  ]);
  return made.flat();
}

interface Stamp {
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly is_deleted: boolean;
}

function makeLanguages(stamp: Stamp, note: Write): Promise<void> {
  const makers = LANGUAGES.map((language) => (id: number) => {
    return { ...stamp, ...language, id, image: [], is_active: true };
  });
  return insertIfAbsent(languages, PLATFORM, makers, [note]);
}

/** Districts of two regions fit a transaction; no region is in two, or they would wait for each other. */
const REGIONS_AT_ONCE = 2;

async function makeRegions(stamp: Stamp, note: Write): Promise<void> {
  const makers = UZBEKISTAN.map(({ name }) => (id: number) => ({ ...stamp, id, name }));
  await insertIfAbsent(regions, PLATFORM, makers);
  const ids = await ownersOf(
    regions.type,
    UZBEKISTAN.map(({ name }) => ({ path: 'name', scope: PLATFORM, text: name })),
  );
  const byRegion = UZBEKISTAN.map(({ name, districts: rural, towns }, index) => {
    const region_id = ids[index];
    if (region_id === undefined)
      throw new Error(`The region ${name} was renamed while its districts were made`);
    const names = [...rural.map((word) => `${word} tumani`), ...towns.map((word) => `${word} shahri`)];
    return names.map((district) => (id: number) => ({ ...stamp, id, region_id, name: district }));
  });
  const groups = splitEvery(byRegion, REGIONS_AT_ONCE).map((few) => few.flat());
  await insertGroupsIfAbsent(districts, PLATFORM, groups);
  await transact([note]);
}
