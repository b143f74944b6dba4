import type { Route } from '#infra/routes.ts';
import { ZONE } from '#lib/values/time.ts';
import { pathItem } from './describe.ts';
import { operationObjectsOf, rulesOf } from './operations.ts';
import { schemasOf } from './schemas.ts';
import { SHARED } from './shared.ts';
import { eventsOf, webhooksOf } from './webhooks.ts';

const INTRODUCTION = `Sign in above to try the operations.

- **Times** are \`Y-m-d H:i:s\` and dates \`Y-m-d\`, both in the time zone ${ZONE}.
- **Money** is a number of currency units with up to 2 decimals (\`12.5\` is 12 units and 50 hundredths);
  quantities have up to 8 decimals.
- **Errors**, 400 to 503, have a human-readable \`message\` and a machine-readable \`code\`:
  [error codes](/docs/codes).
- **Booleans** in a JSON body can be \`true\`, \`false\`, \`1\`, \`0\`, \`"1"\`, \`"0"\`.
- **Method override.** PUT, PATCH and DELETE are also accepted as POST with \`_method\` in the query; another
  value is 405.
- **Idempotency.** Operations that move goods or money take an \`Idempotency-Key\`. The
  [client guide](/docs/guide) covers retries, rounding, dates and the order of ids.
- **Integrations** [sync records](/docs/copy) and [receive webhooks](/docs/webhooks).
- **Offline points of sale**: [implementation guide](/docs/till).
- **Concurrent edits.** GET of a single record returns an \`ETag\`; a change with an \`If-Match\` of another
  version is 412.
- **Examples** are recorded by tests; ids, times and secrets are replaced. Texts are in the language of
  \`Accept-Language\`, here \`ru\`. With \`npm start\` the user \`director\` can execute the sale, its
  return, the hold, the expense reason and the expense unchanged.

Every response has an \`X-Request-Id\`.`;

/** Default address of `npm start`. */
const LOCAL_ADDRESS = 'http://127.0.0.1:3000';

/** Version of the API: `CHANGELOG.md` names it. */
export const VERSION = '0.1.0';

/** Builds the OpenAPI 3.1 document from the metadata of the endpoints. */
export function openApiOf(routes: readonly Route[], address = LOCAL_ADDRESS) {
  const operations = operationObjectsOf(routes);
  const schemas = schemasOf(operations);
  const byPath = Map.groupBy(operations, ({ path }) => path);
  const byNoun = Map.groupBy(operations, ({ noun }) => noun.join(' '));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Retail back office',
      version: VERSION,
      description: INTRODUCTION,
      license: { name: 'UNLICENSED', identifier: 'UNLICENSED' },
      contact: { name: 'The operator of the service' },
    },
    servers: [{ url: address }],
    security: [{ bearer: [] }],
    tags: [...byNoun].map(([name, its]) => ({ name, description: rulesOf(name, its) })),
    paths: Object.fromEntries([...byPath].map(([path, found]) => [path, pathItem(found, schemas)])),
    webhooks: webhooksOf(routes),
    components: { ...SHARED, schemas: { ...schemas.components, ...SHARED.schemas, ...eventsOf(routes) } },
  };
}
