import { App } from 'aws-cdk-lib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RetailStack } from '#infra/stacks/retail-stack.ts';
import { CONTRACT } from '#tests/support/contract.ts';
import { type Deployment, QUOTAS } from './quotas.ts';
import { assemble, stacksOf } from './synthesis.ts';
import { twiceTheContract } from './twice.ts';

let today: Deployment;
let twice: Deployment;
let operations: number;

beforeAll(async () => {
  const { stack, bundles, workers, follower } = await assemble();
  today = { stacks: stacksOf(stack), bundles };
  const { routes, fileOf } = await twiceTheContract();
  operations = routes.flatMap(({ endpoints }) => Object.keys(endpoints)).length;
  const borrowed = new Map([
    ...bundles,
    ...routes.flatMap(({ file }) => {
      const bundle = bundles.get(fileOf(file));
      return bundle ? [[file, bundle] as const] : [];
    }),
  ]);
  const large = new RetailStack(new App(), { routes, workers, follower, bundles: borrowed });
  twice = { stacks: stacksOf(large), bundles };
});

afterAll(() => {
  const rows = QUOTAS.map(({ name, of, most, source }) =>
    [name, of(today), of(twice), most, source].map(String),
  );
  const table = [['quota', 'today', 'twice', 'limit', 'source'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  process.stdout.write(`\n${lines.join('\n')}\n`);
});

test('twice the contract is twice the contract', () => {
  expect(operations).toBeGreaterThanOrEqual(2 * CONTRACT.length);
});

describe.each(QUOTAS)('$name', ({ of, most }) => {
  test(`today and with twice the contract at most ${most}`, () => {
    for (const deployment of [today, twice]) {
      const value = of(deployment);
      expect(value).toBeGreaterThan(0);
      expect(value).toBeLessThanOrEqual(most);
    }
  });
});
