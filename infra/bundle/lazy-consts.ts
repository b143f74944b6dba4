import { dirname } from 'node:path';
import { type Plugin, transform } from 'esbuild';
import type { ImportDeclaration, ImportDeclarationSpecifier, VariableDeclarator } from 'oxc-parser';
import { BUNDLING } from './settings.ts';
import { isSourceModule, keysIn, namesIn, readModule, type SourceModule, targetOf } from './source-module.ts';

/** A piece of a source, by its offsets, and what stands there instead. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What a module becomes: replaced pieces, and names with what is read instead of each. */
interface Rewriting {
  readonly replacements: readonly Replacement[];
  readonly read: Readonly<Record<string, string>>;
}

const MADE_WHEN_READ = 'made-when-read';

const SOURCE = `
  export class Made {
    constructor(make) { this.make = make; }
    get it() {
      const it = this.make();
      Object.defineProperty(this, 'it', { value: it });
      return it;
    }
  }`;

/**
 * Makes what a `const` at the top of our modules holds only when it is first read, and lets esbuild leave out
 * what nobody reads. Otherwise an import makes all that any call may need: for a sale 2 300 schemas of zod.
 * It is right if making one has no effect (`tests/conventions/initializers.test.ts`).
 *
 * `const a = make()` becomes `const a$ = new Made(() => make())`, and `a` is read as `a$.it`, also by modules
 * that import it. esbuild itself replaces the names, as it does those of `define`: a parameter `a` stays one.
 */
export function lazyConsts(): Plugin {
  return {
    name: MADE_WHEN_READ,
    setup(build) {
      build.onResolve({ filter: /^made-when-read$/ }, ({ path }) => ({ path, namespace: MADE_WHEN_READ }));
      build.onLoad({ filter: /./, namespace: MADE_WHEN_READ }, () => ({ contents: SOURCE }));
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!isSourceModule(path)) return undefined;
        const contents = await rewriteModule(await readModule(path));
        return { contents, resolveDir: dirname(path), loader: 'js' };
      });
    },
  };
}

/** Rewrites a module; those that it imports are read for it. */
export async function rewriteModule(module: SourceModule): Promise<string> {
  const { path, source } = module;
  const imports = await Promise.all(module.imports.map((each) => rewriteImport(each, path)));
  const rewritings = [...imports, ...module.made.map((each) => rewriteMade(each, module))];
  const read = Object.assign({}, ...rewritings.map((each) => each.read));
  const rewritten = replace(
    source,
    rewritings.flatMap(({ replacements }) => replacements),
  );
  const text = `import { Made as Made$ } from '${MADE_WHEN_READ}'; ${rewritten}`;
  const { code } = await transform(text, { loader: 'ts', define: read, target: BUNDLING.target });
  const whole = /\w+(?=\$whole)/.exec(code);
  if (whole) throw new Error(`${path}: of ${whole[0]} only a name that it exports can be read`);
  return code;
}

/** Imports what holds a value instead of the value, and reads it there. */
async function rewriteImport(statement: ImportDeclaration, importer: string): Promise<Rewriting> {
  const path = targetOf(statement, importer);
  if (path === undefined || statement.importKind === 'type') return { replacements: [], read: {} };
  const { made, exported } = await readModule(path);
  const isMade = new Set(made.flatMap(({ id }) => namesIn(id)));
  const names = statement.specifiers.flatMap((each) => namesTaken(each, exported));
  const taken = names.map(({ name, local }) =>
    isMade.has(name) ? `${name}$ as ${local}$` : `${name} as ${local}`,
  );
  const read = names
    .filter(({ name, local, readAs }) => isMade.has(name) || readAs !== local)
    .map(({ name, local, readAs }) => [readAs, isMade.has(name) ? `${local}$.it` : local]);
  const wholes = statement.specifiers
    .filter(({ type }) => type === 'ImportNamespaceSpecifier')
    .map(({ local }) => [local.name, `${local.name}$whole`]);
  const { start, end, source } = statement;
  const text = `import { ${taken.join(', ')} } from ${source.raw};`;
  return { replacements: [{ start, end, text }], read: Object.fromEntries([...read, ...wholes]) };
}

/** A name that is imported, the one that it has here, and what reads it. */
interface NameTaken {
  readonly name: string;
  readonly local: string;
  readonly readAs: string;
}

/** Lists what an import takes: of a whole module all that it exports, each by itself. */
function namesTaken(specifier: ImportDeclarationSpecifier, exported: readonly string[]): NameTaken[] {
  const local = specifier.local.name;
  if (specifier.type === 'ImportNamespaceSpecifier') {
    return exported.map((name) => ({ name, local: `${local}$${name}`, readAs: `${local}.${name}` }));
  }
  if (specifier.type === 'ImportDefaultSpecifier' || specifier.imported.type !== 'Identifier') {
    throw new Error(`${local} is not imported by a name`);
  }
  return specifier.importKind === 'type' ? [] : [{ name: specifier.imported.name, local, readAs: local }];
}

/** Makes a value when it is first read; each that is taken out of it by itself. */
function rewriteMade({ id, init, start, end }: VariableDeclarator, { source }: SourceModule): Rewriting {
  const value = init ? holderOf(source.slice(init.start, init.end)) : '';
  if (id.type === 'Identifier') {
    const text = `${id.name}$ = ${value}`;
    return { replacements: [{ start, end, text }], read: { [id.name]: `${id.name}$.it` } };
  }
  const whole = `whole${start}$`;
  const parts = keysIn(id).map(([key, name]) => ({
    name,
    text: `${name}$ = ${holderOf(`${whole}.it.${key}`)}`,
  }));
  const text = [`${whole} = ${value}`, ...parts.map((part) => part.text)].join(', ');
  const read = Object.fromEntries(parts.map(({ name }) => [name, `${name}$.it`]));
  return { replacements: [{ start, end, text }], read };
}

function holderOf(expression: string): string {
  return `/* @__PURE__ */ new Made$(() => (${expression}))`;
}

function replace(source: string, replacements: readonly Replacement[]): string {
  const inOrder = replacements.toSorted((a, b) => a.start - b.start);
  const pieces = inOrder.map(({ text, start }, index) => {
    const from = inOrder[index - 1]?.end ?? 0;
    return source.slice(from, start) + text;
  });
  return pieces.join('') + source.slice(inOrder.at(-1)?.end ?? 0);
}
