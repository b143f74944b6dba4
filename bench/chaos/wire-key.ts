import * as z from 'zod';

/** Key in wire format. */
export const WirePlace = z.object({ pk: z.object({ S: z.string() }), sk: z.object({ S: z.string() }) });

/** Change of an item in a transaction: checks alone change nothing. */
const Action = z.object({
  Put: z.object({ TableName: z.string(), Item: WirePlace }).optional(),
  Update: z.object({ TableName: z.string(), Key: WirePlace }).optional(),
  Delete: z.object({ TableName: z.string(), Key: WirePlace }).optional(),
  ConditionCheck: z.object({ Key: WirePlace }).optional(),
  Get: z.object({ Key: WirePlace }).optional(),
});

/** Transaction in wire format. */
export const WireTransaction = z.object({ TransactItems: z.array(Action) });

/** Key of an item. */
export interface WireKey {
  readonly pk: string;
  readonly sk: string;
}

/** Lists the items of a write, or of a transactional read. */
export function wireKeysOf(operation: string, input: unknown): WireKey[] {
  if (operation.startsWith('Transact')) {
    const actions = WireTransaction.safeParse(input).data?.TransactItems ?? [];
    return actions.flatMap(({ Put, Update, Delete, ConditionCheck, Get }) => {
      const place = Put?.Item ?? (Update ?? Delete ?? ConditionCheck ?? Get)?.Key;
      return place ? [wireKeyOf(place)] : [];
    });
  }
  const single = z.object({ Key: WirePlace }).safeParse(input).data?.Key;
  const put = z.object({ Item: WirePlace }).safeParse(input).data?.Item;
  const place = /^(Put|Update|Delete)Item$/.test(operation) ? (single ?? put) : undefined;
  return place ? [wireKeyOf(place)] : [];
}

/** Reads a key. */
export function wireKeyOf({ pk, sk }: z.output<typeof WirePlace>): WireKey {
  return { pk: pk.S, sk: sk.S };
}

/** Returns the name of a key. */
export function wireNameOf({ pk, sk }: WireKey): string {
  return `${pk}\n${sk}`;
}
