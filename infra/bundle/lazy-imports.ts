import type { Metafile, Plugin } from 'esbuild';

/** An `import()` of a package: the file beside the bundle that answers it, and the package. */
export interface LazyImport {
  /** `lazy-exceljs.mjs`. */
  readonly file: string;
  /** `exceljs`. */
  readonly specifier: string;
}

const PREFIX = './lazy-';

/**
 * Turns every `import()` of a package into the loading of a file beside the bundle. So a package is bundled
 * once, and only calls that use it parse it. Our own modules can't be loaded so: each file would hold copies
 * of the modules that both import, with another state and other classes.
 */
export function lazyImports(): Plugin {
  return {
    name: 'lazy-imports',
    setup(build) {
      build.onResolve({ filter: /./ }, ({ kind, path, importer }) => {
        if (kind !== 'dynamic-import' || path.startsWith('node:')) return undefined;
        if (/^[.#/]/.test(path) && !importer.includes('/node_modules/')) {
          return {
            errors: [
              { text: `Import ${path} statically, and its packages by import() where they are heavy` },
            ],
          };
        }
        return { path: `./${fileOf(path)}`, external: true };
      });
    },
  };
}

/** Lists the packages that a bundle loads lazily. */
export function lazyImportsOf(output: Metafile['outputs'][string]): LazyImport[] {
  const files = new Set(output.imports.map(({ path }) => path).filter((path) => path.startsWith(PREFIX)));
  return [...files].map((path) => ({
    file: path.slice('./'.length),
    specifier: path.slice(PREFIX.length, -'.mjs'.length).replaceAll('+', '/'),
  }));
}

function fileOf(specifier: string): string {
  return `lazy-${specifier.replaceAll('/', '+')}.mjs`;
}
