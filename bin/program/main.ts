import { sentenceFor } from './sentence.ts';

/** A program that was called wrongly: how to call it is told beside what is wrong. */
export class Misuse extends Error {}

/** Does a program's work. Whatever keeps it from that is told in a sentence, and ends it with `failure`. */
export async function main(usage: string, work: () => Promise<void>, failure = 1): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`${sentenceFor(error)}\n${isMisuse(error) ? `\n${usage}\n` : ''}`);
    process.exitCode = failure;
  }
}

function isMisuse(error: unknown): boolean {
  if (error instanceof Misuse) return true;
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

/** Tells how the work goes on. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
