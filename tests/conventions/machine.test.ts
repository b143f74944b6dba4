import { expect, test } from 'vitest';
import * as z from 'zod';
import { textOf } from './files.ts';

const { devDependencies } = z
  .object({ devDependencies: z.looseObject({ node: z.string() }) })
  .parse(JSON.parse(textOf('package.json')));

const container = textOf('.devcontainer/Dockerfile');

/** Packages of Debian without which tests are skipped. */
const NEEDED = [...textOf('tests/support/machine.ts').matchAll(/apt-get install ([\w.-]+)/g)].map(
  ([, name = '']) => name,
);

test('.node-version and the dev container name the Node that the package brings', () => {
  expect(textOf('.node-version')).toBe(`${devDependencies.node}\n`);
  expect(container).toContain(`\nFROM node:${devDependencies.node}-`);
});

test('the dev container has every program that a test needs', () => {
  expect(NEEDED.length).toBeGreaterThan(2);
  expect(NEEDED.filter((name) => !new RegExp(`install .*\\b${name}\\b`).test(container))).toEqual([]);
});
