import { builtinModules, createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

const BUILTIN = new RegExp(`^(node:.+|${builtinModules.join('|')})$`);

const require = createRequire(import.meta.url);

/**
 * Loads Node's own modules by `require`, and reads only the names in use. An `import` evaluates every export,
 * even one that Node creates on first access: `node:http` would load all of undici, which the SDK does not
 * use, `node:util` workers.
 */
export function requireBuiltins(): Plugin {
  return {
    name: 'required-builtins',
    setup(build) {
      build.onResolve({ filter: BUILTIN }, ({ path, kind }) =>
        kind === 'import-statement' ? { path, namespace: 'builtin' } : undefined,
      );
      build.onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => {
        const names = Object.keys(require(path)).filter((name) => name !== 'default');
        return {
          contents: [
            `const builtin = /* @__PURE__ */ require(${JSON.stringify(path)});`,
            'export default builtin;',
            ...names.map((name) => `export const ${name} = /* @__PURE__ */ (() => builtin.${name})();`),
          ].join('\n'),
        };
      });
    },
  };
}
