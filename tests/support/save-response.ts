import type { Write } from '#lib/table/change/write.ts';

/** Writes that save a response, in the transaction of its call. */
export type AnswerWrites = () => Write[];

/** Saves no response: the call is never repeated. */
export const nothing: AnswerWrites = () => [];
