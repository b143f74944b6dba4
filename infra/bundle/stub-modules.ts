import { isAbsolute, join, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import { ROOT } from '#infra/bundle/settings.ts';

const OTHER_SOURCES =
  /^@(aws-sdk|smithy)\/credential-provider-(sso|ini|process|web-identity|http|imds|login|cognito-identity)$/;

/** The SDK's cache of discovered endpoints: ours is always the region's. */
const ENDPOINTS = /^mnemonist\/lru-cache$/;

/** The half of zod by which the reference is written, and nothing answered; but it also reads limits. */
const JSON_SCHEMAS = /^\.\.\/core\/(to-json-schema|json-schema-processors)\.js$/;
const KEPT = 'aggregateChecks';

/**
 * Replaces modules that Lambda never runs by stubs. Credentials come from the environment: other sources of
 * them, with the clients of SSO and STS, are half of a DynamoDB client's code. Calling a stub throws.
 */
export function stubModules(): Plugin {
  return {
    name: 'left-out',
    setup(build) {
      build.onResolve({ filter: OTHER_SOURCES }, ({ path }) => ({ path, namespace: 'left-out' }));
      build.onResolve({ filter: ENDPOINTS }, ({ path }) => ({ path, namespace: 'left-out' }));
      build.onResolve({ filter: JSON_SCHEMAS }, ({ path, importer, resolveDir }) =>
        importer.endsWith('/zod/v4/classic/schemas.js')
          ? { path: join(resolveDir, path), namespace: 'left-out-but-one' }
          : undefined,
      );
      build.onLoad({ filter: OTHER_SOURCES, namespace: 'left-out' }, ({ path }) => ({
        contents: `throw ${errorAt(path)};`,
      }));
      build.onLoad({ filter: ENDPOINTS, namespace: 'left-out' }, ({ path }) => ({
        contents: `${standInOf(path)} export default standIn;`,
      }));
      build.onLoad({ filter: /./, namespace: 'left-out-but-one' }, async ({ path }) => ({
        contents: `${standInOf(path)} ${await exportsOf(path)}`,
        resolveDir: '/',
      }));
    },
  };
}

/** Exports all names of a module: the one in use, and the others as stubs that throw. */
async function exportsOf(path: string): Promise<string> {
  const module: object = await import(path);
  const left = Object.keys(module).filter((name) => name !== KEPT);
  const kept = KEPT in module ? `export { ${KEPT} } from ${JSON.stringify(path)};` : '';
  return `${kept} export { ${left.map((name) => `standIn as ${name}`).join(', ')} };`;
}

/** Generates a function that may be constructed but has no members. */
function standInOf(path: string): string {
  return `function standIn() { if (!new.target) throw ${errorAt(path)}; }`;
}

/**
 * Returns the error of a stub. A file is named relative to the repository: a bundle is the same in any
 * checkout.
 */
function errorAt(path: string): string {
  const module = isAbsolute(path) ? relative(ROOT, path) : path;
  const message = `${module} is left out of this bundle: Lambda never runs it (infra/bundle/stub-modules.ts).`;
  return `new Error(${JSON.stringify(message)})`;
}
