import { readFileSync, writeFileSync } from 'node:fs';
import { main, print } from './cli/main.ts';
import { breakingChanges } from './openapi/breaking.ts';
import { changesToName } from './openapi/changelog.ts';
import { ApiContract } from './openapi/contract.ts';
import {
  CHANGELOG_FILE,
  DOCUMENT_FILE,
  RELEASED_FILE,
  serializeReference,
  writeDocument,
} from './openapi/document.ts';

/*
 * Writes the reference to `openapi.json`, and prints breaking changes since the last release that
 * `CHANGELOG.md` lacks. With `--release` the current contract becomes that of the last release. With
 * `--print` it only prints the reference, with its examples, for linters and generators.
 */

const USAGE = `npm run openapi -- [--release]
npm run --silent openapi -- --print

--release saves the current contract as that of the last release. --print only prints the reference, as the service
at ADDRESS of the environment serves it.`;

const OPTIONS = {
  release: { type: 'boolean', default: false },
  print: { type: 'boolean', default: false },
} as const;

await main(USAGE, { options: OPTIONS }, async ({ values }) => {
  if (values.print) return print(await serializeReference(process.env['ADDRESS']));
  const text = await writeDocument();
  const contract = ApiContract.parse(JSON.parse(text));
  writeFileSync(DOCUMENT_FILE, text);
  if (values.release) writeFileSync(RELEASED_FILE, `${JSON.stringify(contract)}\n`);
  const released = ApiContract.parse(JSON.parse(readFileSync(RELEASED_FILE, 'utf8')));
  const unnamed = changesToName(readFileSync(CHANGELOG_FILE, 'utf8'), breakingChanges(released, contract));
  for (const change of unnamed) print(`- ${change}`);
});
