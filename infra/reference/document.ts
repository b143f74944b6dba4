import type { Route } from '#infra/routes.ts';
import { pathItem } from './describe.ts';
import { operationsOf } from './operations.ts';
import { schemasOf } from './schemas.ts';
import { SHARED } from './shared.ts';

const INTRODUCTION = `Sign in above, then try any call. Times are \`Y-m-d H:i:s\` and days \`Y-m-d\` in the service's zone.
Every PUT, PATCH and DELETE also answers POST with \`_method\` in the query, for forms; a wrong \`_method\` is 405.
Every answer carries \`X-Request-Id\`.`;

/** Describes the API as OpenAPI 3.1, from what the endpoints say of themselves. */
export function openApiOf(routes: readonly Route[]) {
  const operations = operationsOf(routes);
  const schemas = schemasOf(operations);
  const byPath = Map.groupBy(operations, ({ path }) => path);
  const tags = new Set(operations.map(({ noun }) => noun.join(' ')));
  return {
    openapi: '3.1.0',
    info: { title: 'Retail back office', version: '0.1.0', description: INTRODUCTION },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [...tags].map((name) => ({ name })),
    paths: Object.fromEntries([...byPath].map(([path, found]) => [path, pathItem(found, schemas)])),
    components: { ...SHARED, schemas: { ...schemas.components, ...SHARED.schemas } },
  };
}
