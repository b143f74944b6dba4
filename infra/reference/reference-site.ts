import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Route } from '#infra/routes.ts';
import { ADDRESS_PLACE, type StaticFiles } from '#lib/http/static-site.ts';
import { openApiOf, VERSION } from './document.ts';
import { type OperationObject, operationObjectsOf } from './operations.ts';
import { changelog, codesPage, limitRows, nounPages } from './pages.ts';

/** Routes of the reference, in the notation of API Gateway. */
export const REFERENCE_ROUTES = ['GET /openapi.json', 'GET /docs', 'GET /docs/{file}'] as const;

/** Files of the reference with their gzipped contents. */
export interface ReferenceSite {
  readonly files: StaticFiles;
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

const CHANGES = join(import.meta.dirname, '../../CHANGELOG.md');

const PAGE = join(import.meta.dirname, 'page');

/** Pages in the bar at the top of each, in its order: name and title. */
const TITLES = {
  begin: 'Begin',
  lists: 'Lists',
  rights: 'Who may what',
  guide: 'Client guide',
  copy: 'Sync records',
  till: 'Offline points of sale',
  webhooks: 'Receive webhooks',
  events: 'Events',
  generate: 'Generate a client',
  nouns: 'Resources',
  codes: 'Error codes',
  changes: 'Changelog',
};

/** Pages made by code, without a text of their own. */
const MADE_PAGES = new Set(['nouns', 'codes']);

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
  const operations = operationObjectsOf(routes);
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
    part('/docs', 'html', addVersions(withBar(pageText('index.html')), parts)),
    ...[...nounPages(operations, textPage('noun.html'))].map(([path, page]) =>
      part(path, 'html', addVersions(page, parts)),
    ),
    ...Object.entries(TITLES)
      .filter(([name]) => !MADE_PAGES.has(name))
      .map(([name, title]) => {
        const text = fillPage(textPage(`${name}.html`, title), operations);
        return nameAddress(part(`/docs/${name}`, 'html', addVersions(text, parts)));
      }),
    part('/docs/codes', 'html', addVersions(codesPage(textPage('codes.html', TITLES.codes)), parts)),
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
  return withBar(frame).replace('{page}\n', () => pageText(name));
}

/** Fills the bar with links to all pages. */
function withBar(page: string): string {
  const links = Object.entries(TITLES).map(([name, title]) => `<a href="/docs/${name}">${title}</a>`);
  return page.replace('{pages}', ['<a href="/docs">Reference</a>', ...links].join(' '));
}

/** Fills a page with the limits of calls and the changelog, if it has places for them. */
function fillPage(page: string, operations: readonly OperationObject[]): string {
  return page
    .replace('{limits}', () => limitRows(operations))
    .replace('{version}', VERSION)
    .replace('{changes}', () => changelog(readFileSync(CHANGES, 'utf8')));
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
