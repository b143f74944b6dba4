import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { addVersions, part, type Site, siteOf } from './site.ts';

/** Routes of the example of a till. A service worker controls only pages below its own folder. */
export const TILL_ROUTES = ['GET /till', 'GET /till.worker.js', 'GET /till/{file}'] as const;

const FOLDER = join(import.meta.dirname, '../bin/demo/till');

/** Builds the page of the till with its files. */
export function tillSite(): Site {
  const script = part('/till/main.js', 'js', bundleScript());
  const page = readFileSync(join(FOLDER, 'page.html'), 'utf8');
  return siteOf([
    script,
    part('/till', 'html', addVersions(page, [script])),
    part('/till.worker.js', 'js', readFileSync(join(FOLDER, 'worker.js'))),
  ]);
}

function bundleScript(): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(FOLDER, 'main.ts')],
    bundle: true,
    minify: true,
    charset: 'utf8',
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'warning',
  });
  return outputFiles.map(({ text }) => text).join('');
}
