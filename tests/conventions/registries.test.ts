import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { ENUMERATIONS_FILE, serializeEnumerations } from '#bin/openapi/enumerations.ts';
import { RIGHT_USES_FILE, RIGHTS_FILE, serializeRights, serializeRightUses } from '#bin/openapi/rights.ts';
import { openApiOf } from '#infra/reference/document.ts';
import { discoverRoutes } from '#infra/routes.ts';
import { listRights } from '#lib/people/role/rights.ts';
import { enumerations } from '#lib/values/labels/enumerations.ts';

test('lib/auth/rights.json lists the rights that endpoints name: npm run fix', async () => {
  expect(readFileSync(RIGHTS_FILE, 'utf8').split('\n')).toEqual(
    serializeRights(await discoverRoutes()).split('\n'),
  );
});

test('lib/auth/right-uses.json lists what rights imply and those for parts: npm run fix', async () => {
  expect(readFileSync(RIGHT_USES_FILE, 'utf8')).toEqual(serializeRightUses(await discoverRoutes()));
});

test('every right has a label in every language, and a group with one (Part 5, 5B.2 (1))', () => {
  expect(() => listRights(['admin', 'partner', 'company'])).not.toThrow();
});

test('lib/values/labels/enumerations.json lists the enumerations of the reference: npm run fix', async () => {
  expect(readFileSync(ENUMERATIONS_FILE, 'utf8').split('\n')).toEqual(
    serializeEnumerations(openApiOf(await discoverRoutes())).split('\n'),
  );
});

const Enumeration = z.object({ enum: z.array(z.unknown()) });

test('every enumeration of a body, an answer or a filter names its list, which has a label for each value (Part 5, 5B.3)', async () => {
  const { data } = enumerations('ru');
  const document = openApiOf(await discoverRoutes());
  const found = enumerationsIn(document, '');
  expect(found.length).toBeGreaterThan(300);
  const wrong = found.filter(({ list, values }) => {
    const labeled = new Set(data[list ?? '']?.map(({ value }) => value));
    return !values.every((value) => labeled.has(String(value)));
  });
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

/** Finds the enumerations below a part; parameters other than filters are none, and examples. */
function enumerationsIn(part: unknown, path: string): { path: string; list?: string; values: unknown[] }[] {
  if (typeof part !== 'object' || part === null) return [];
  const { 'x-enum': list, in: place, name } = Object(part);
  if (typeof place === 'string' && !/^filter\[/.test(name)) return [];
  const own = Enumeration.safeParse(part).data;
  return [
    ...(own ? [{ path, list, values: own.enum }] : []),
    ...Object.entries(part).flatMap(([key, value]) =>
      /^examples?$/.test(key) ? [] : enumerationsIn(value, `${path}/${key}`),
    ),
  ];
}
