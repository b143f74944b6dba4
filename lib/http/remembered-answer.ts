import * as z from 'zod';
import { bytesOf } from '#lib/table/size.ts';

/** More than an item may hold beside the rest of what a key keeps. */
const MOST_BYTES = 370_000;

const Told = z.object({ id: z.int() });

/**
 * What a key keeps of an answer: the answer, or the id of the document that tells it, if the answer is too
 * large.
 */
export const RememberedAnswer = z.object({ answer: z.unknown(), document: z.int().optional() });

export type RememberedAnswer = z.output<typeof RememberedAnswer>;

/**
 * What is to be kept of an answer. One that is too large has its id kept if it is a document's; the operation
 * then reads the document again, and so must say how (`reread`). Decisions, 1, "Idempotency-Key".
 */
export function rememberedOf(answer: unknown): RememberedAnswer {
  const document = Told.safeParse(answer).data?.id;
  const isTooLarge = document !== undefined && bytesOf({ answer }) > MOST_BYTES;
  return isTooLarge ? { answer: null, document } : { answer: answer ?? null };
}
