import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Route } from '#infra/routes.ts';
import { addVersions, nameAddress, part, type Site, siteOf } from '#infra/site.ts';
import { ADDRESS_PLACE } from '#lib/http/static-site.ts';
import { openApiOf, VERSION } from './document.ts';
import { type OperationObject, operationObjectsOf } from './operations.ts';
import { changelog, codesPage, limitRows, nounPages } from './pages.ts';

/** Routes of the reference, in the notation of API Gateway. */
export const REFERENCE_ROUTES = ['GET /openapi.json', 'GET /docs', 'GET /docs/{file}'] as const;

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

const require = createRequire(import.meta.url);

/** Builds the OpenAPI document and the pages of the reference. */
export function referenceSite(routes: readonly Route[]): Site {
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
  return siteOf(all);
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
