import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  isArrayLiteralExpression,
  isArrowFunction,
  isAwaitExpression,
  isBinaryExpression,
  isCallExpression,
  isConditionalExpression,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isReturnStatement,
  isSpreadElement,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { API, type Checker, type Project, type Type } from 'typescript/unstable/sync';
import { expect, onTestFinished, test } from 'vitest';
import { codeFiles, ROOT } from './files.ts';

/*
 * Node ends a process, and all calls in it, over a promise that fails before anyone handles it. So whoever
 * calls what gives a promise awaits or returns it there, puts it into a `Promise.all`, or begins it by
 * `inBackground`.
 */

/** Calls that give what is handled already. */
const HANDLING = /^(?:inBackground|waitUntil)$|\.catch$/;

/** Calls that take promises and handle them. */
const AWAITING = /^(?:Promise\.(?:all|allSettled|race)|inBackground|waitUntil)$/;

const WRONG = {
  'a variable that is awaited later': async (work: () => Promise<string>) => {
    const working = work();
    await pause(1);
    return working;
  },
  'one that holds several': async (work: () => Promise<string>) => {
    const working = ['a', 'b'].map(() => work());
    await pause(1);
    return Promise.all(working);
  },
  'a variable that is set': async (work: () => Promise<string>, done?: Promise<string>) => {
    done ??= work();
    await pause(1);
    return done;
  },
  'an argument': (work: () => Promise<string>, keep: (done: Promise<string>) => void) => {
    keep(work());
  },
};

test('nothing is begun without a handler', () => {
  const api = new API({ cwd: ROOT });
  onTestFinished(() => api.close());
  const project = openProject(api);
  const names = new TypeNames(project.checker);
  expect(codeFiles(['functions', 'lib']).flatMap((file) => begunIn(project, names, file))).toEqual([]);
  expect(begunIn(project, names, 'tests/conventions/floating-promises.test.ts')).toHaveLength(
    Object.keys(WRONG).length,
  );
});

/** The names of types, each asked for once: the compiler is another process, and most calls give the same. */
class TypeNames {
  readonly #checker: Checker;
  readonly #known = new Map<number, string>();

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  of(type: Type | undefined): string {
    if (!type) return '';
    const name = this.#known.get(type.id) ?? this.#checker.typeToString(type);
    this.#known.set(type.id, name);
    return name;
  }
}

/** Opens the code that is looked through, and no more: the whole house takes the compiler twice as long. */
function openProject(api: API): Project {
  const config = join(import.meta.dirname, 'floating-promises.tsconfig.json');
  const snapshot = api.updateSnapshot({ openProjects: [config] });
  const [project] = snapshot.getProjects();
  if (!project) throw new Error('There is no project');
  return project;
}

/** Lists calls of a file whose promises nobody handles at once. */
function begunIn({ program, checker }: Project, names: TypeNames, name: string): string[] {
  const file = program.getSourceFile(join(ROOT, name));
  if (!file) throw new Error(`${name} is in no project`);
  const calls = callsIn(file).filter((call) => !isHandled(call));
  const types = checker.getTypeAtLocation(calls);
  return calls
    .filter((_, index) => /^Promise<.*>(?:\[\])?$/s.test(names.of(types[index])))
    .map((call) => `${name}: ${call.getText(file)}`);
}

function callsIn(file: SourceFile): Node[] {
  const calls: Node[] = [];
  const visit = (node: Node): undefined => {
    if (isCallExpression(node)) calls.push(node);
    node.forEachChild(visit);
  };
  visit(file);
  return calls;
}

/** Tells whether the promise of a call is awaited, returned or given a handler at once. */
function isHandled(call: Node): boolean {
  let { parent } = call;
  while (passesOn(parent)) parent = parent.parent;
  if (isAwaitExpression(parent) || isReturnStatement(parent) || isPropertyAccessExpression(parent))
    return true;
  if (isArrowFunction(parent)) return true;
  if (isCallExpression(call) && HANDLING.test(call.expression.getText())) return true;
  return isCallExpression(parent) && AWAITING.test(parent.expression.getText());
}

/** Tells whether the value of an expression is the value, or a part of the value, of the one around it. */
function passesOn(parent: Node): boolean {
  return (
    isParenthesizedExpression(parent) ||
    isConditionalExpression(parent) ||
    isBinaryExpression(parent) ||
    isArrayLiteralExpression(parent) ||
    isSpreadElement(parent)
  );
}
