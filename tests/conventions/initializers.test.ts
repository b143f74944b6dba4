import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { build, type Plugin } from 'esbuild';
import { parseSync, type Statement } from 'oxc-parser';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { codeFiles, ROOT, textOf } from './files.ts';

/*
 * A bundle makes each `const` of a module when it is first read, or never (`infra/bundle/lazy-consts.ts`).
 * That is right if making one has no effect: neither on what another module holds, nor on the process.
 */

const run = promisify(execFile);

const OURS = codeFiles(['lib', 'functions']);

/** A module that registers itself with another, as none of ours may. */
const WRONG = {
  'registry.ts':
    'const all = new Map<string, number>(); export const add = (name: string) => all.set(name, 1);',
  'registered.ts': "import { add } from './registry.ts'; export const one = add('one');",
};

/** What a module may do besides importing by name: declare. */
const DECLARATIONS = new Set([
  ...['VariableDeclaration', 'FunctionDeclaration', 'ClassDeclaration'],
  ...['TSInterfaceDeclaration', 'TSTypeAliasDeclaration'],
]);

test('a module only declares: nothing is called for its effect while it is imported', () => {
  expect(OURS.flatMap((file) => effectsIn(file, textOf(file)))).toEqual([]);
  expect(effectsIn('a.ts', "import './b.ts'; start(); export const a = 1; if (a) start();")).toEqual([
    "a.ts: import './b.ts';",
    'a.ts: start();',
    'a.ts: if (a) start();',
  ]);
});

test('making what a module holds changes nothing that another holds, and nothing of the process', async () => {
  expect(await changedByImports(OURS)).toEqual([]);
});

test('a module that registers itself with another is found', async () => {
  const folder = '.build/initializers';
  await mkdir(join(ROOT, folder), { recursive: true });
  const files = Object.entries(WRONG).map(async ([name, source]) => {
    await writeFile(join(ROOT, folder, name), source);
    return `${folder}/${name}`;
  });
  expect(await changedByImports(await Promise.all(files))).toEqual([`${folder}/registry.ts: all`]);
});

function effectsIn(file: string, source: string): string[] {
  return parseSync(file, source).program.body.flatMap((statement) =>
    isDeclaration(statement) ? [] : `${file}: ${source.slice(statement.start, statement.end)}`,
  );
}

function isDeclaration(statement: Statement): boolean {
  if (statement.type === 'ImportDeclaration') return statement.specifiers.length > 0;
  const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  return !declared || DECLARATIONS.has(declared.type);
}

// A schema keeps what it has worked out of itself, which is no change.
const WATCH = `import { inspect } from 'node:util';
  Object.defineProperty(Object.prototype, inspect.custom, {
    value() { return '_zod' in this ? 'a schema' : this; },
  });
  const look = (value) => inspect(value, { depth: 3, maxArrayLength: null });
  const held = [['the process', () => [process.eventNames(), process.getActiveResourcesInfo()]]]
    .map(([name, get]) => [name, get, look(get())]);
  globalThis.hold = (name, get) => held.push([name, get, look(get())]);
  globalThis.tell = () => {
    const changed = held.filter(([, get, before]) => look(get()) !== before).map(([name]) => name);
    process.stdout.write(JSON.stringify(changed));
  };`;

/** Imports modules one after the other, and lists what has changed since its own module made it. */
async function changedByImports(files: readonly string[]): Promise<string[]> {
  const outfile = join(ROOT, `.build/initializers/${files.length}.mjs`);
  const imports = files.map((file) => `import './${file}';`);
  await build({
    stdin: { contents: [...imports, 'globalThis.tell();'].join('\n'), resolveDir: ROOT },
    ...{ bundle: true, platform: 'node', format: 'esm', packages: 'external', outfile },
    banner: { js: WATCH },
    plugins: [holding()],
  });
  const { stdout } = await run(process.execPath, [outfile], {
    env: { ...process.env, AWS_REGION: 'us-east-1' },
  });
  return z.array(z.string()).parse(JSON.parse(stdout));
}

/** Lets each module hand over what it holds. */
function holding(): Plugin {
  return {
    name: 'holding',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        const held = namesIn(path, source).map(
          (name) => `globalThis.hold(${JSON.stringify(`${relative(ROOT, path)}: ${name}`)}, () => ${name});`,
        );
        return { contents: [source, ...held].join('\n'), loader: 'ts' };
      });
    },
  };
}

/** Lists the variables at the top of a module. */
function namesIn(path: string, source: string): string[] {
  const statements = parseSync(path, source).program.body;
  return statements.flatMap((statement) => {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declared?.type !== 'VariableDeclaration') return [];
    return declared.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? id.name : []));
  });
}
