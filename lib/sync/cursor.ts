import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { readSignedText, signText } from '#lib/auth/signed-text.ts';
import { SyncType } from '#lib/records/sync-type.ts';
import { ApiError, invalid } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';
import type { SyncPosition } from './position.ts';

const PURPOSE = 'copy';

/** Lifetime of a cursor. Part 4, 4.1, 6. */
const LIFE_MS = 30 * 24 * 60 * 60 * 1000;

/** A reader's position in a sync, with its types. */
export interface Cursor {
  readonly types: readonly SyncType[];
  /** Epoch of the feed and fingerprint of the caller's reach when the sync began. */
  readonly epoch: string;
  readonly reach: string;
  /** Last page of the feed when the initial sync began. */
  readonly start: number;
  readonly place: SyncPosition;
}

const FirstPlace = z.object({ f: z.tuple([z.int(), z.int(), z.int()]) });
const ChangePlace = z.object({ c: z.tuple([z.int(), z.int(), z.int()]) });

const Sealed = z.object({
  /** Caller and creation time. */
  u: z.int(),
  at: z.number(),
  /** Types by their index in the list of all. */
  t: z.array(z.int()),
  e: z.string(),
  r: z.string(),
  s: z.int(),
  p: z.union([FirstPlace, ChangePlace]),
});

/** Signs a cursor for its caller; clients treat it as opaque. */
export function sealCursor({ id }: Staff, cursor: Cursor, at: Instant): string {
  const { types, epoch: e, reach: r, start: s, place } = cursor;
  const t = types.map((type) => SyncType.options.indexOf(type));
  return signText(PURPOSE, JSON.stringify({ u: id, at, t, e, r, s, p: sealPlace(place) }));
}

function sealPlace(place: SyncPosition): z.input<typeof Sealed>['p'] {
  if ('id' in place) return { f: [place.type, place.id, place.looked] };
  return { c: [place.page, place.entries, place.records] };
}

function openPlace(sealed: z.output<typeof Sealed>['p']): SyncPosition {
  if ('f' in sealed) {
    const [type, id, looked] = sealed.f;
    return { type, id, looked };
  }
  const [page, entries, records] = sealed.c;
  return { page, entries, records };
}

/**
 * Verifies and parses a cursor. 422 if it is forged or another caller's, or its types differ from the given
 * ones. 410 if it has expired.
 */
export function openCursor(
  { id }: Staff,
  given: string,
  named: readonly SyncType[] | undefined,
  at: Instant,
): Cursor {
  const sealed = Sealed.safeParse(parse(readSignedText(PURPOSE, given))).data;
  if (!sealed || sealed.u !== id) throw invalid({ cursor: 'validation.invalid' });
  const types = sealed.t.flatMap((place) => SyncType.options[place] ?? []);
  if (named && !haveSameTypes(named, types)) throw invalid({ cursor: 'sync.other_types' });
  if (at - sealed.at > LIFE_MS) throw new ApiError(410, { key: 'sync.cursor_too_old' });
  return { types, epoch: sealed.e, reach: sealed.r, start: sealed.s, place: openPlace(sealed.p) };
}

function haveSameTypes(some: readonly SyncType[], others: readonly SyncType[]): boolean {
  const [a, b] = [new Set(some), new Set(others)];
  return a.size === b.size && [...a].every((each) => b.has(each));
}

function parse(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text);
}
