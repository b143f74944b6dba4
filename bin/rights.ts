import { readFileSync, writeFileSync } from 'node:fs';
import { discoverRoutes } from '#infra/routes.ts';
import { RIGHTS_FILE, serializeRights } from './openapi/rights.ts';

/*
 * Lists the rights that endpoints name in `lib/auth/rights.json`: `npm run fix`. Git keeps both sides of a
 * merge in it (`.gitattributes`), and the next run sorts them.
 */

makeReadable();
writeFileSync(RIGHTS_FILE, serializeRights(await discoverRoutes()));

/** Empties a file that a merge has left malformed: some endpoints import it. */
function makeReadable(): void {
  try {
    JSON.parse(readFileSync(RIGHTS_FILE, 'utf8'));
  } catch {
    writeFileSync(RIGHTS_FILE, '[]\n');
  }
}
