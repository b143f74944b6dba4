import type { Route } from '#infra/routes.ts';
import { ZONE } from '#lib/values/time.ts';
import { pathItem } from './describe.ts';
import { operationObjectsOf, rulesOf } from './operations.ts';
import { schemasOf } from './schemas.ts';
import { SHARED } from './shared.ts';
import { eventsOf, WEBHOOKS } from './webhooks.ts';

const INTRODUCTION = `Sign in above, then try any call.

- **Time.** Times are \`Y-m-d H:i:s\` and days \`Y-m-d\`, both in the zone ${ZONE}.
- **Refusals.** From 400 to 503 they have \`message\` for people and \`code\` for programs:
  [all codes](/docs/codes).
- **Booleans** of a JSON body may be \`true\`, \`false\`, \`1\`, \`0\`, \`"1"\`, \`"0"\`.
- **Forms.** Every PUT, PATCH and DELETE also answers POST with \`_method\` in the query; a wrong one is 405.
- **Repeating a call.** What moves goods or money takes an \`Idempotency-Key\`. [What a client must
  know](/docs/guide) tells of retries, rounding, dates, and numbers that appear late.
- **Other systems** [keep a copy](/docs/copy) and [receive webhooks](/docs/webhooks).
- **A till without a network** sells on: [how to write one](/docs/till).
- **Editing side by side.** GET of one record answers an \`ETag\`; a change with \`If-Match\` of another is 412.
- **Examples** were sent and received by tests; ids, times and secrets in them are replaced. Their texts are
  in the language of \`Accept-Language\`, here \`ru\`. At \`npm start\` the sale, its return, the hold, the
  item of expense and the expense can be executed as they stand, by \`director\`.

Every answer carries \`X-Request-Id\`.`;

/** The address of `npm start`. */
const LOCAL_ADDRESS = 'http://127.0.0.1:3000';

/** Describes the API as OpenAPI 3.1, from what the endpoints say of themselves. */
export function openApiOf(routes: readonly Route[], address = LOCAL_ADDRESS) {
  const operations = operationObjectsOf(routes);
  const schemas = schemasOf(operations);
  const byPath = Map.groupBy(operations, ({ path }) => path);
  const tags = new Set(operations.map(({ noun }) => noun.join(' ')));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Retail back office',
      version: '0.1.0',
      description: INTRODUCTION,
      license: { name: 'UNLICENSED', identifier: 'UNLICENSED' },
      contact: { name: 'The operator of the service' },
    },
    servers: [{ url: address }],
    security: [{ bearer: [] }],
    tags: [...tags].map((name) => ({ name, description: rulesOf(name) })),
    paths: Object.fromEntries([...byPath].map(([path, found]) => [path, pathItem(found, schemas)])),
    webhooks: WEBHOOKS,
    components: { ...SHARED, schemas: { ...schemas.components, ...SHARED.schemas, ...eventsOf(routes) } },
  };
}
