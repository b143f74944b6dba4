import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { discoverRoutes, discoverWorkers, STREAM_CONSUMER } from '#infra/routes.ts';
import { bundleFunctions } from './bundle-functions.ts';
import { LIST } from './current-bundles.ts';

// Bundles everything that is deployed, in a process of its own, into the folder that it is given.
const [folder = ''] = process.argv.slice(2);
const bundles = await bundleFunctions(
  await discoverRoutes(),
  [...discoverWorkers(), STREAM_CONSUMER],
  folder,
);
const listed = [...bundles].map(([name, bundle]) => [
  name,
  { ...bundle, directory: basename(bundle.directory) },
]);
writeFileSync(join(folder, LIST), JSON.stringify(listed));
