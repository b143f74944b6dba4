import { linesOfPack } from '#lib/records/lines.ts';
import type { Item } from '#lib/table/client.ts';
import { partition, type Tenant } from '#lib/table/keys.ts';
import { walk, wholePartition } from '#lib/table/read/walk.ts';
import { mapConcurrent, splitEvery } from '#lib/values/concurrency.ts';
import type { FurtherKind } from './kinds.ts';

const AT_ONCE = 20;

/** Item as exported: the parts of its key after the family, and its fields. */
export interface FurtherLine {
  readonly type: string;
  readonly key: readonly string[];
  readonly record: object;
}

/** Fields used only for lookup or comparison. */
const OF_TABLE = ['pk', 'sk', 'folded'];

/** Reads a family's items of a kind, in batches of one concurrent read. */
export async function* furtherLines(further: FurtherKind, tenant: Tenant): AsyncGenerator<FurtherLine[]> {
  const { kind, under } = further;
  if (under === undefined) {
    for await (const items of walk(partition(kind, tenant))) yield items.map((item) => lineOf(further, item));
    return;
  }
  for await (const parents of walk(partition(under, tenant))) {
    const places = parents.flatMap(({ sk }) => partitionsUnder(further, tenant, String(sk)));
    for (const some of splitEvery(places, AT_ONCE)) {
      const found = await mapConcurrent(some, AT_ONCE, (pk) => wholePartition(pk));
      yield found.flat().map((item) => lineOf(further, item));
    }
  }
}

function partitionsUnder({ kind, parts }: FurtherKind, tenant: Tenant, sk: string): string[] {
  const own = `${partition(kind, tenant)}#${Number(sk)}`;
  return parts === undefined ? [own] : Array.from({ length: parts }, (_, part) => `${own}#${part}`);
}

function lineOf({ kind, isPacked, hidden = [] }: FurtherKind, { pk, sk, ...item }: Item): FurtherLine {
  const [, , ...under] = String(pk).split('#');
  const whole = isPacked ? { ...item, lines: linesOfPack(item) } : item;
  const shown = Object.entries(whole).filter(([name]) => !OF_TABLE.includes(name) && !hidden.includes(name));
  return { type: kind, key: [...under, String(sk)], record: inNameOrder(Object.fromEntries(shown)) };
}

/** Sorts fields by name: the table returns them in any order, and repeated exports must be identical. */
function inNameOrder(value: object): object {
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, each]) => [name, sortDeep(each)]));
}

function sortDeep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortDeep);
  return typeof value === 'object' && value !== null ? inNameOrder(value) : value;
}
