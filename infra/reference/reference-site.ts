import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Route } from '#infra/routes.ts';
import { ADDRESS_PLACE, type StaticFiles } from '#lib/http/static-site.ts';
import { openApiOf } from './document.ts';
import { operationObjectsOf } from './operations.ts';
import { codesPage, nounPages } from './pages.ts';

/** Routes of the reference, in the notation of API Gateway. */
export const REFERENCE_ROUTES = ['GET /openapi.json', 'GET /docs', 'GET /docs/{file}'] as const;

/** Files of the reference with their gzipped contents. */
export interface ReferenceSite {
  readonly files: StaticFiles;
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

const PAGE = join(import.meta.dirname, 'page');

/** Titles of the hand-written pages. */
const TITLES = {
  guide: 'client guide',
  copy: 'sync records',
  till: 'offline points of sale',
  webhooks: 'receive webhooks',
};

const TYPES = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
};

const require = createRequire(import.meta.url);

/** Builds the OpenAPI document and the pages of the reference. */
export function referenceSite(routes: readonly Route[]): ReferenceSite {
  const parts = [
    part(
      '/docs/swagger-ui-bundle.js',
      'js',
      readFileSync(require.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
    ),
    part('/docs/swagger-ui.css', 'css', readFileSync(require.resolve('swagger-ui-dist/swagger-ui.css'))),
    part('/docs/favicon.png', 'png', readFileSync(require.resolve('swagger-ui-dist/favicon-32x32.png'))),
    part('/docs/page.js', 'js', readFileSync(join(PAGE, 'page.js'))),
    part('/docs/page.css', 'css', readFileSync(join(PAGE, 'page.css'))),
  ];
  const all = [
    ...parts,
    part('/docs', 'html', addVersions(pageText('index.html'), parts)),
    ...[...nounPages(operationObjectsOf(routes), textPage('noun.html'))].map(([path, page]) =>
      part(path, 'html', addVersions(page, parts)),
    ),
    ...Object.entries(TITLES).map(([name, title]) =>
      part(`/docs/${name}`, 'html', addVersions(textPage(`${name}.html`, title), parts)),
    ),
    part('/docs/codes', 'html', addVersions(codesPage(textPage('codes.html', 'error codes')), parts)),
    nameAddress(part('/openapi.json', 'json', JSON.stringify(openApiOf(routes, ADDRESS_PLACE)))),
  ];
  return {
    files: Object.fromEntries(all.map(({ path, file }) => [path, file])),
    contents: new Map(all.map(({ file, content }) => [file.name, gzipSync(content)])),
  };
}

function pageText(name: string): string {
  return readFileSync(join(PAGE, name), 'utf8');
}

/** Inserts a page into the common frame; without a title the placeholder stays. */
function textPage(name: string, title = '{title}'): string {
  const frame = pageText('frame.html').replace('{title}', title);
  return frame.replace('{page}\n', () => pageText(name));
}

type Part = ReturnType<typeof part>;

/** Marks a file that contains the address of the service. */
function nameAddress(each: Part) {
  return { ...each, file: { ...each.file, isAddressed: true as const } };
}

function part(path: string, kind: keyof typeof TYPES, content: string | Uint8Array) {
  const tag = createHash('sha256').update(content).digest('base64url').slice(0, 16);
  return { path, content, file: { name: path.slice(1).replace('/', '.'), type: TYPES[kind], tag } };
}

/** Replaces `{path}` in a page by the versioned address of each file. */
function addVersions(page: string, parts: readonly Part[]): string {
  return parts.reduce((text, { path, file }) => text.replace(`{${path}}`, `${path}?v=${file.tag}`), page);
}
