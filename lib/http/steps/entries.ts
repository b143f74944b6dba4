import * as z from 'zod';
import { parseJson } from '#lib/values/fields.ts';
import { fromJson } from '#lib/values/from-json.ts';
import { MalformedEntry } from '#lib/values/malformed.ts';

/** A body whose parser refuses something of it. */
interface Refused {
  readonly schema: unknown;
  /** The list whose entries are judged each for itself. */
  readonly name: string;
  readonly text: string;
}

/** Tells whether the parser of bodies takes a value. */
type Accepts = (value: unknown) => Promise<boolean>;

const List = z.array(z.unknown());
const Keyed = z.object({ key: z.string() });

/**
 * Reads a body whose parser refuses nothing but entries of its list: these are marked, and the others are
 * read. Undefined if it is refused elsewhere. Contract 9.102.
 */
export async function readEachEntry({ schema, name, text }: Refused, accepts: Accepts): Promise<unknown> {
  const parsed = parseJson(text);
  const rest: object = { ...Object(parsed), [name]: [] };
  if (!List.safeParse(Object(parsed)[name]).success || !(await accepts(rest))) return undefined;
  const read: object = Object(fromJson(schema, { parsed, text }));
  const entries = List.parse(Object(read)[name]);
  return { ...read, [name]: await Promise.all(entries.map((entry) => markIfMalformed(entry, accepts))) };
}

async function markIfMalformed(entry: unknown, accepts: Accepts): Promise<unknown> {
  return (await accepts(entry)) ? entry : new MalformedEntry(Keyed.safeParse(entry).data?.key);
}
