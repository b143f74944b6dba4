import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import {
  type BindingPattern,
  type Declaration,
  type Expression,
  type ImportDeclaration,
  type Program,
  parseSync,
  type VariableDeclarator,
} from 'oxc-parser';
import { ROOT } from './settings.ts';

/** A module of ours, as it is written. */
export interface SourceModule {
  readonly path: string;
  readonly source: string;
  readonly imports: readonly ImportDeclaration[];
  /** What its `const`s at the top hold that is made by more than writing it down. */
  readonly made: readonly VariableDeclarator[];
  readonly exported: readonly string[];
}

/**
 * The connection to the table is opened at once, as every call needs it, and AWS gives a whole processor to
 * what begins.
 */
const AT_ONCE = ['lib/table/client.ts'];

/** Tells whether functions are made of the module at a path. */
export function isSourceModule(path: string): boolean {
  return /^(lib|functions)\/.*\.ts$/.test(relative(ROOT, path));
}

const read = new Map<string, Promise<SourceModule>>();

/** Reads a module. It does not change while functions are bundled of it. */
export function readModule(path: string): Promise<SourceModule> {
  const known = read.get(path);
  if (known) return known;
  const module = readFile(path, 'utf8').then((source) => parseModule(path, source));
  read.set(path, module);
  return module;
}

/** Finds what a module imports, makes and exports. */
export function parseModule(path: string, source: string): SourceModule {
  const { program, errors } = parseSync(path, source, { lang: 'ts' });
  if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join('; ')}`);
  const declared = declarationsOf(program);
  const isAtOnce = AT_ONCE.includes(relative(ROOT, path));
  return {
    path,
    source,
    imports: program.body.filter((statement) => statement.type === 'ImportDeclaration'),
    made: isAtOnce ? [] : declared.flatMap(({ declaration }) => makersIn(declaration)),
    exported: declared.flatMap(({ declaration, isExported }) => (isExported ? namesOf(declaration) : [])),
  };
}

/** Finds the module of ours that is imported; undefined for a package. */
export function targetOf({ source: { value } }: ImportDeclaration, importer: string): string | undefined {
  if (value.startsWith('#')) return join(ROOT, value.slice(1));
  return value.startsWith('.') ? join(dirname(importer), value) : undefined;
}

/** Lists the keys that a pattern takes of a value, each with the name it gives it. */
export function keysIn(pattern: BindingPattern): [key: string, name: string][] {
  if (pattern.type !== 'ObjectPattern') throw new Error(`A ${pattern.type} at the top of a module`);
  return pattern.properties.map((property) => {
    if (
      property.type !== 'Property' ||
      property.key.type !== 'Identifier' ||
      property.value.type !== 'Identifier'
    ) {
      throw new Error('At the top of a module { } takes plain names: write a function that takes more');
    }
    return [property.key.name, property.value.name];
  });
}

/** Lists the names that a declared variable, or a pattern of some, stands for. */
export function namesIn(pattern: BindingPattern): string[] {
  return pattern.type === 'Identifier' ? [pattern.name] : keysIn(pattern).map(([, name]) => name);
}

function declarationsOf({ body }: Program): { declaration: Declaration; isExported: boolean }[] {
  return body.flatMap((statement) => {
    if (statement.type === 'ExportNamedDeclaration') {
      return statement.declaration ? { declaration: statement.declaration, isExported: true } : [];
    }
    return 'declare' in statement ? { declaration: statement, isExported: false } : [];
  });
}

function namesOf(declaration: Declaration): string[] {
  if (declaration.type === 'VariableDeclaration') {
    return declaration.declarations.flatMap(({ id }) => namesIn(id));
  }
  const isValue = declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration';
  return isValue && declaration.id ? [declaration.id.name] : [];
}

function makersIn(declaration: Declaration): VariableDeclarator[] {
  if (declaration.type !== 'VariableDeclaration' || declaration.kind !== 'const') return [];
  return declaration.declarations.filter(({ init }) => init && !isWrittenDown(init));
}

/** Tells whether a value is there without a call or another value. */
function isWrittenDown(value: Expression): boolean {
  switch (value.type) {
    case 'Literal':
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return true;
    case 'TemplateLiteral':
      return value.expressions.length === 0;
    case 'UnaryExpression':
      return isWrittenDown(value.argument);
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return isWrittenDown(value.expression);
    default:
      return false;
  }
}
