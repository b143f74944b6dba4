import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RIGHTS_FILE, serializeRights } from '#bin/openapi/rights.ts';
import { discoverRoutes } from '#infra/routes.ts';

test('lib/auth/rights.json lists the rights that endpoints name: npm run fix', async () => {
  expect(readFileSync(RIGHTS_FILE, 'utf8').split('\n')).toEqual(
    serializeRights(await discoverRoutes()).split('\n'),
  );
});
