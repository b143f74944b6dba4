import * as z from 'zod';
import { fieldsBeyond } from '#lib/values/by-schema.ts';
import { type Candidate, chooseErrorExample, chooseExample } from './choose.ts';
import { normalizeExample } from './normalize.ts';

/** A call as recorded by tests/support/recording.ts. */
export const TestCall = z.object({
  request: z.string(),
  sent: z.unknown().optional(),
  status: z.int(),
  got: z.unknown().optional(),
  type: z.string().optional(),
  stale: z.int().optional(),
  isShown: z.boolean().optional(),
});

type TestCall = z.output<typeof TestCall>;

/** Examples of an operation in the file. */
export const Example = z.looseObject({
  statuses: z.array(z.int()),
  types: z.array(z.string()).optional(),
  refused: z.record(z.string(), z.unknown()).optional(),
  heedsVersion: z.boolean().optional(),
  isShown: z.boolean().optional(),
});

type Example = z.output<typeof Example>;

/** Merges the examples of a run of some tests into the existing ones, or replaces them. */
export function mergeExamples(held: Example | undefined, found: Example, isAnew: boolean): Example {
  if (!held) return found;
  if (found.statuses.length === 0) return held;
  const heedsVersion = held.heedsVersion === true || found.heedsVersion;
  const statuses = union(held.statuses, found.statuses);
  const types = union(held.types, found.types);
  const isBetter = found.isShown === true || (isAnew && held.isShown !== true);
  const [first, then] = isBetter ? [held, found] : [found, held];
  const refused = { ...first.refused, ...then.refused };
  return {
    ...first,
    ...then,
    statuses,
    ...(types.length > 0 && { types }),
    ...(Object.keys(refused).length > 0 && { refused }),
    ...(heedsVersion !== undefined && { heedsVersion }),
  };
}

/** Returns the sorted union of two lists. */
function union<T>(some: readonly T[] = [], others: readonly T[] = []): T[] {
  return [...new Set([...some, ...others])].sort();
}

/**
 * Builds the examples of an operation from the call marked for the reference, or the most informative one.
 */
export function makeExample(calls: readonly TestCall[], body: unknown): Example {
  const now = new Date();
  const withStatus = (status: number): Candidate[] =>
    calls
      .filter((call) => call.status === status)
      .map(({ sent, got }) => Object(normalizeExample({ sent, got }, now)));
  // An ignored field in an example would make callers send it.
  const sound = withStatus(200).filter(
    ({ sent }) => fieldsBeyond(body, sent, { hasLineIds: true }).length === 0,
  );
  const inJson = sound.filter(({ got }) => got !== undefined);
  const shown = calls.find(({ isShown, status }) => isShown && status === 200);
  const best = shown
    ? Object(normalizeExample({ sent: shown.sent, got: shown.got }, now, 'keep ids'))
    : chooseExample(inJson.length > 0 ? inJson : sound);
  const refused = [400, 422].flatMap((status) => {
    const meant = calls.find((call) => call.isShown && call.status === status);
    const call = meant ?? chooseErrorExample(withStatus(status));
    return call ? [[status, call.got] as const] : [];
  });
  const stale = calls.filter(({ status }) => status === 200).flatMap((call) => call.stale ?? []);
  const types = union(calls.filter(({ status }) => status === 200).flatMap(({ type }) => type ?? []));
  return {
    ...(best?.sent !== undefined && { sent: best.sent }),
    ...(best?.got !== undefined && { got: best.got }),
    ...(refused.length > 0 && { refused: Object.fromEntries(refused) }),
    statuses: union(calls.map(({ status }) => status)),
    ...(shown && { isShown: true }),
    ...(types.some((type) => type !== 'application/json') && { types }),
    ...(stale.length > 0 && { heedsVersion: stale.includes(412) }),
  };
}
