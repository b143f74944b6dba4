import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { breakingChanges } from '#bin/openapi/breaking.ts';
import { changesToName, lastRelease } from '#bin/openapi/changelog.ts';
import { ApiContract } from '#bin/openapi/contract.ts';
import { CHANGELOG_FILE, DOCUMENT_FILE, RELEASED_FILE, writeDocument } from '#bin/openapi/document.ts';

const changelog = readFileSync(CHANGELOG_FILE, 'utf8');
const released = ApiContract.parse(JSON.parse(readFileSync(RELEASED_FILE, 'utf8')));

let made: string;

beforeAll(async () => {
  made = await writeDocument();
});

test('openapi.json is what the code makes: npm run openapi', () => {
  const committed = readFileSync(DOCUMENT_FILE, 'utf8').split('\n');
  const lines = made.split('\n');
  const first = lines.findIndex((line, index) => line !== committed[index]);
  expect(`${first + 1}: ${lines[first]}`).toBe('0: undefined');
  expect(committed).toHaveLength(lines.length);
});

test('what breaks clients of the last release is under "Unreleased" in CHANGELOG.md', () => {
  expect(changesToName(changelog, breakingChanges(released, ApiContract.parse(JSON.parse(made))))).toEqual(
    [],
  );
});

test('the newest version in CHANGELOG.md is that of the released contract', () => {
  expect(lastRelease(changelog)).toBe(released.info.version);
});

test('an operation that is removed breaks clients, whichever it is', () => {
  const requests = Object.entries(released.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `\`${method.toUpperCase()} ${path}\` is removed`),
  );
  const removed = breakingChanges(released, { ...released, paths: {} });
  expect(removed).toEqual(requests.sort());
});

test('a field that is removed from a component breaks clients, whichever it is', () => {
  const { components } = released;
  const expected: string[] = [];
  const schemas = Object.entries(components.schemas).map(([name, { properties = {}, ...schema }]) => {
    // A field that leads to another component hides that one when it goes.
    const [gone] = Object.keys(properties).filter(
      (field) => !JSON.stringify(properties[field]).includes('$ref'),
    );
    if (gone === undefined) return [name, { properties, ...schema }] as const;
    expected.push(`\`${name}.${gone}\` is removed`);
    const { [gone]: _, ...left } = properties;
    return [name, { properties: left, ...schema }] as const;
  });
  const after = { ...released, components: { ...components, schemas: Object.fromEntries(schemas) } };
  expect(breakingChanges(released, after)).toEqual(expected.sort());
});
