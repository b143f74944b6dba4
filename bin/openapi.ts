import { openApiOf } from '#infra/reference/document.ts';
import { discoverRoutes } from '#infra/routes.ts';

/** Writes the reference as OpenAPI, for linters and generators: `npm run --silent openapi > openapi.json`. */
process.stdout.write(JSON.stringify(openApiOf(await discoverRoutes(), process.env['ADDRESS']), null, 1));
