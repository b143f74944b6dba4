import * as z from 'zod';

/** A key on the wire. */
export const WirePlace = z.object({ pk: z.object({ S: z.string() }), sk: z.object({ S: z.string() }) });

/** An item's change in a transaction: checks alone change nothing. */
const Action = z.object({
  Put: z.object({ TableName: z.string(), Item: WirePlace }).optional(),
  Update: z.object({ TableName: z.string(), Key: WirePlace }).optional(),
  Delete: z.object({ TableName: z.string(), Key: WirePlace }).optional(),
  ConditionCheck: z.object({ Key: WirePlace }).optional(),
  Get: z.object({ Key: WirePlace }).optional(),
});

/** A transaction on the wire. */
export const WireTransaction = z.object({ TransactItems: z.array(Action) });

/** The key of an item. */
export interface WireKey {
  readonly pk: string;
  readonly sk: string;
}

/** Lists the items that a write, or a read by a transaction, wants. */
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

/** Names a key. */
export function wireNameOf({ pk, sk }: WireKey): string {
  return `${pk}\n${sk}`;
}
