import { type ParseArgsConfig, parseArgs } from 'node:util';
import { errorSentence } from './error-sentence.ts';

/** A program that was called wrongly: how to call it is told beside what is wrong. */
export class UsageError extends Error {}

/** An option that takes a text. */
export const TEXT = { type: 'string' } as const;

/**
 * Does a program's work with the arguments that it takes, or tells how it is called if `--help` asks it.
 * What keeps it from its work is said in a sentence, and ends it with `failure`.
 */
export async function main<const C extends ParseArgsConfig>(
  usage: string,
  takes: C,
  work: (given: ReturnType<typeof parseArgs<C>>) => Promise<void>,
  failure = 1,
): Promise<void> {
  if (asksForHelp()) return print(usage);
  try {
    await work(parseArgs(takes));
  } catch (error) {
    tellFailure(error, usage);
    process.exitCode = failure;
  }
}

/**
 * Takes the arguments of a program that is no function of them. One that is asked how it is called, or that
 * was called wrongly, tells that and ends.
 */
export function takeArguments<const C extends ParseArgsConfig>(usage: string, takes: C) {
  if (asksForHelp()) {
    print(usage);
    process.exit(0);
  }
  try {
    return parseArgs(takes);
  } catch (error) {
    tellFailure(error, usage);
    process.exit(1);
  }
}

/** Tells whether somebody asks how a program is called. What comes after `--` is another program's. */
function asksForHelp(): boolean {
  const given = process.argv.slice(2);
  const own = given.slice(0, given.includes('--') ? given.indexOf('--') : undefined);
  return own.includes('--help') || own.includes('-h');
}

function tellFailure(error: unknown, usage: string): void {
  process.stderr.write(`${errorSentence(error)}\n${isMisuse(error) ? `\n${usage}\n` : ''}`);
}

/** Requires what a program can't do without. */
export function requireOption(value: string | undefined, question: string): string {
  if (value) return value;
  throw new UsageError(question);
}

function isMisuse(error: unknown): boolean {
  if (error instanceof UsageError) return true;
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

/** Tells how the work goes on. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
