import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { RecordedTestCall } from './call-recorder.ts';

const Operation = z.looseObject({
  'x-right': z.string().nullish(),
  'x-more-rights': z.array(z.looseObject({ right: z.string() })).default([]),
});

const Paths = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

let paths: z.output<typeof Paths>['paths'] | undefined;

/** Reads the committed reference once, and only for a refusal that names a right. */
function readPaths() {
  paths ??= Paths.parse(
    JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')),
  ).paths;
  return paths;
}

/**
 * Throws if a refusal names a right that the reference does not list for its operation. So every right that
 * any test is refused for is one that a caller could have known of. Part 5, 5B.2 (2).
 */
export function requireListedRights({ request, reply: { status, body } }: RecordedTestCall): void {
  const named = refusalsIn(status, body).flatMap(rightsOf);
  if (named.length === 0) return;
  const listed = rightsOfOperation(request);
  const missing = named.filter((right) => !listed.includes(right));
  if (missing.length > 0) throw new Error(`The reference of ${request} does not list ${missing.join()}`);
}

/** Lists the refusals of a response: itself, or those of a batch's entries. */
function refusalsIn(status: number, body: unknown): unknown[] {
  if (status >= 400) return [body];
  return [Object(body).data].flat().filter((entry) => Object(entry).status >= 400);
}

/** Code of a refused gift: a right within a role or a webhook. */
const RIGHT_NOT_HELD = 'role.right_not_held';

function rightsOf(refusal: unknown): string[] {
  const { right, params, codes } = Object(refusal);
  const ofFields = Object.entries(Object(params)).flatMap(([path, values]) =>
    [values].flat().filter((_, index) => Object(codes)[path]?.[index] !== RIGHT_NOT_HELD),
  );
  return [right, ...ofFields.map((each) => Object(each).right)].filter((each) => typeof each === 'string');
}

function rightsOfOperation(request: string): string[] {
  const [method = '', address = ''] = request.split(' ');
  const parts = (address.split('?')[0] ?? '').split('/');
  const found = Object.entries(readPaths()).filter(([path]) => {
    const template = path.split('/');
    return template.length === parts.length && template.every((part, index) => isFor(part, parts[index]));
  });
  return found.flatMap(([, operations]) => {
    const { 'x-right': right, 'x-more-rights': more } = Operation.parse(
      operations[method.toLowerCase()] ?? {},
    );
    return [...(right ? [right] : []), ...more.map((each) => each.right)];
  });
}

function isFor(part: string, given: string | undefined): boolean {
  return part.startsWith('{') || part === given;
}
