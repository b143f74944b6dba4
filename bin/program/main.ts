import { type ParseArgsConfig, parseArgs } from 'node:util';
import { sentenceFor } from './sentence.ts';

/** A program that was called wrongly: how to call it is told beside what is wrong. */
export class Misuse extends Error {}

/** An option that takes a text. */
export const TEXT = { type: 'string' } as const;

/**
 * Does a program's work with the arguments that it takes. What keeps it from that is said in a sentence, and
 * ends it with `failure`.
 */
export async function main<const C extends ParseArgsConfig>(
  usage: string,
  takes: C,
  work: (given: ReturnType<typeof parseArgs<C>>) => Promise<void>,
  failure = 1,
): Promise<void> {
  try {
    await work(parseArgs(takes));
  } catch (error) {
    process.stderr.write(`${sentenceFor(error)}\n${isMisuse(error) ? `\n${usage}\n` : ''}`);
    process.exitCode = failure;
  }
}

/** Requires what a program can't do without. */
export function requireGiven(value: string | undefined, question: string): string {
  if (value) return value;
  throw new Misuse(question);
}

function isMisuse(error: unknown): boolean {
  if (error instanceof Misuse) return true;
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

/** Tells how the work goes on. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
