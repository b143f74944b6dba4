import type { IncomingHttpHeaders } from 'node:http';
import * as z from 'zod';

/** DynamoDB request in wire format: attributes have their type, `{ S: 'header' }`. */
export interface WireCall {
  /** `UpdateItem`, `TransactWriteItems` … */
  readonly operation: string;
  readonly isWrite: boolean;
  readonly input: Wire;
  /** Keys of its items, in no order. A query has none. */
  readonly keys: readonly { readonly pk: string; readonly sk: string }[];
  /** Texts and numbers in its items and expression values. Numbers are texts on the wire. */
  readonly values: ReadonlySet<string>;
}

type Wire = z.output<typeof Wire>;

const Wire = z.record(z.string(), z.json());

const Text = z.object({ S: z.string() });

const Place = z.object({ pk: Text, sk: Text });

const WRITES = /^(Put|Update|Delete|TransactWrite|BatchWrite)/;

/** Reads a request's target and body. Keys and values are extracted only if a rule reads them. */
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

/** Matches calls on the header of a large transaction. */
export const isHeader = ({ keys }: WireCall) => keys.some(({ sk }) => sk === 'header');

/** Matches the one call that decides a large transaction. */
export const isCommit = (call: WireCall) =>
  call.operation === 'TransactWriteItems' && isHeader(call) && call.values.has('committed');

function objectsIn(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (typeof value !== 'object' || value === null) return [];
  return [{ ...value }, ...Object.values(value).flatMap(objectsIn)];
}
