import { openApiOf } from '#infra/reference/document.ts';
import { discoverRoutes } from '#infra/routes.ts';
import { takeArguments } from './program/main.ts';

const USAGE = `npm run --silent openapi > openapi.json

Writes the reference as OpenAPI, for linters and generators. ADDRESS in the environment is its server's.`;

takeArguments(USAGE, {});

/** Writes the reference as OpenAPI, for linters and generators: `npm run --silent openapi > openapi.json`. */
process.stdout.write(JSON.stringify(openApiOf(await discoverRoutes(), process.env['ADDRESS']), null, 1));
