import { join } from 'node:path';
import type { BuildOptions } from 'esbuild';

/** The repository, where imports are resolved from. */
export const ROOT = join(import.meta.dirname, '../..');

/** Settings by which everything that runs in Lambda is bundled, and the hello-world of the benchmark, too. */
export const BUNDLING = {
  absWorkingDir: ROOT,
  bundle: true,
  minify: true,
  legalComments: 'none',
  // Escaped, a Cyrillic letter takes six bytes instead of two.
  charset: 'utf8',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  platform: 'node',
  target: 'node24',
  // The SDK's ES modules can be tree-shaken; its CommonJS can't.
  mainFields: ['module', 'main'],
  // Former CommonJS loads Node's own modules by `require`, which ES modules don't have.
  banner: {
    js: "import{createRequire as createRequireHere}from'node:module';const require=createRequireHere(import.meta.url);",
  },
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;
