import type { IncomingHttpHeaders } from 'node:http';
import * as z from 'zod';

/** One call to DynamoDB as it goes over the wire: attributes have their kind, `{ S: 'header' }`. */
export interface WireCall {
  /** `UpdateItem`, `TransactWriteItems` … */
  readonly operation: string;
  readonly isWrite: boolean;
  readonly input: Wire;
  /** Items that it names, in no order. A query names none. */
  readonly keys: readonly { readonly pk: string; readonly sk: string }[];
  /**
   * Texts and numbers that it gives, in items and as values of its expressions. Numbers are texts on the
   * wire.
   */
  readonly values: ReadonlySet<string>;
}

type Wire = z.output<typeof Wire>;

const Wire = z.record(z.string(), z.json());

const Text = z.object({ S: z.string() });

const Place = z.object({ pk: Text, sk: Text });

const WRITES = /^(Put|Update|Delete|TransactWrite|BatchWrite)/;

/** Reads a call's target and body. Keys and values are looked for only if a rule asks for them. */
export function tableCallOf(headers: IncomingHttpHeaders, body: Buffer): WireCall {
  const operation = String(headers['x-amz-target'] ?? '').replace(/^.*\./, '');
  let input: Wire | undefined;
  const parse = () => {
    input ??= Wire.parse(JSON.parse(body.toString() || '{}'));
    return input;
  };
  return {
    operation,
    isWrite: WRITES.test(operation),
    get input() {
      return parse();
    },
    get keys() {
      return objectsIn(parse()).flatMap((each) => {
        const place = Place.safeParse(each).data;
        return place ? [{ pk: place.pk.S, sk: place.sk.S }] : [];
      });
    },
    get values() {
      const plain = objectsIn(parse()).flatMap((each) => ('S' in each ? each['S'] : each['N']));
      return new Set(plain.filter((value) => typeof value === 'string'));
    },
  };
}

/** Tells calls that name the header of a large transaction. */
export const isHeader = ({ keys }: WireCall) => keys.some(({ sk }) => sk === 'header');

/** Tells the one call that decides a large transaction. */
export const isCommit = (call: WireCall) =>
  call.operation === 'TransactWriteItems' && isHeader(call) && call.values.has('committed');

function objectsIn(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (typeof value !== 'object' || value === null) return [];
  return [{ ...value }, ...Object.values(value).flatMap(objectsIn)];
}
