import { readFileSync, writeFileSync } from 'node:fs';
import { openApiOf } from '#infra/reference/document.ts';
import { discoverRoutes } from '#infra/routes.ts';
import { ENUMERATIONS_FILE, serializeEnumerations } from './openapi/enumerations.ts';
import { RIGHT_USES_FILE, RIGHTS_FILE, serializeRights, serializeRightUses } from './openapi/rights.ts';

/*
 * Lists the rights that endpoints name and the enumerations of the reference, for functions that don't import
 * other operations: `npm run fix`. Git keeps both sides of a merge in these files (`.gitattributes`), and the
 * next run sorts them.
 */

makeReadable(RIGHTS_FILE, '[]');
makeReadable(RIGHT_USES_FILE, '{ "implied": {}, "parts": [] }');
makeReadable(ENUMERATIONS_FILE, '{}');
const routes = await discoverRoutes();
writeFileSync(RIGHTS_FILE, serializeRights(routes));
writeFileSync(RIGHT_USES_FILE, serializeRightUses(routes));
writeFileSync(ENUMERATIONS_FILE, serializeEnumerations(openApiOf(routes)));

/** Empties a file that a merge has left malformed: some endpoints import it. */
function makeReadable(file: string, empty: string): void {
  try {
    JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    writeFileSync(file, `${empty}\n`);
  }
}
