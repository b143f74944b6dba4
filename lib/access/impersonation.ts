import * as z from 'zod';
import type { Actor } from './actor.ts';

/** Fields for who made a document, and for the administrator who acted as them. Decisions, 3. */
export const madeBy = { creator_id: z.int(), impersonator_id: z.int().nullable() };

const Maker = z.object(madeBy);

/** Who makes something: a user, and the administrator who acts as them. */
export type Maker = z.output<typeof Maker>;

/** Names who makes what a call of this actor makes. */
export function makerOf({ id, impersonator }: Pick<Actor, 'id' | 'impersonator'>): Maker {
  return { creator_id: id, impersonator_id: impersonator?.user ?? null };
}
