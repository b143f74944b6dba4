import * as z from 'zod';
import { parseJson } from '#lib/values/fields.ts';
import { fromJson } from '#lib/values/from-json.ts';
import { MalformedEntry } from '#lib/values/malformed.ts';

/** A body that the parser rejects. */
interface MalformedBody {
  readonly schema: unknown;
  /** The list whose entries are parsed separately. */
  readonly name: string;
  readonly text: string;
}

/** Returns true if the body parser accepts a value. */
type Accepts = (value: unknown) => Promise<boolean>;

const List = z.array(z.unknown());
const Keyed = z.object({ key: z.string() });

/**
 * Reads a body with malformed entries in its list: marks these, and reads the others. Undefined if the body
 * is malformed elsewhere. Contract 9.102.
 */
export async function readEachEntry(
  { schema, name, text }: MalformedBody,
  accepts: Accepts,
): Promise<unknown> {
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
