import { builtinModules } from 'node:module';
import type { Plugin } from 'esbuild';

const BUILTIN = new RegExp(`^(node:.+|${builtinModules.join('|')})$`);

/**
 * Takes Node's own modules by `require`. An `import` evaluates every export of theirs, even those that Node
 * makes when they are first asked for: that of `node:http` loads all of undici, which the SDK does not use.
 */
export function requireBuiltins(): Plugin {
  return {
    name: 'required-builtins',
    setup(build) {
      build.onResolve({ filter: BUILTIN }, ({ path, kind }) =>
        kind === 'import-statement' ? { path, namespace: 'builtin' } : undefined,
      );
      build.onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
        contents: `module.exports = require(${JSON.stringify(path)});`,
      }));
    },
  };
}
