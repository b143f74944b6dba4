import type { Write } from '#lib/table/change/write.ts';

/** Writes that keep an answer, in the transaction of what is answered. */
export type AnswerWrites = () => Write[];

/** Keeps no answer: nobody asks again. */
export const nothing: AnswerWrites = () => [];
