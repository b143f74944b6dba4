import { type ParseArgsConfig, parseArgs } from 'node:util';
import { errorSentence } from './error-sentence.ts';

/** Misuse of a program: its usage is printed with the error. */
export class UsageError extends Error {}

/** An option with a text value. */
export const TEXT = { type: 'string' } as const;

/**
 * Runs a program with its parsed arguments, or prints its usage for `--help`. An error is printed as a
 * sentence, and sets the exit code to `failure`.
 */
export async function main<const C extends ParseArgsConfig>(
  usage: string,
  takes: C,
  work: (given: ReturnType<typeof parseArgs<C>>) => Promise<void>,
  failure = 1,
): Promise<void> {
  if (isHelpRequested()) return print(usage);
  try {
    await work(parseArgs(takes));
  } catch (error) {
    printFailure(error, usage);
    process.exitCode = failure;
  }
}

/**
 * Parses the arguments of a program that is not written as a function of them. Prints the usage and exits for
 * `--help` and on misuse.
 */
export function takeArguments<const C extends ParseArgsConfig>(usage: string, takes: C) {
  if (isHelpRequested()) {
    print(usage);
    process.exit(0);
  }
  try {
    return parseArgs(takes);
  } catch (error) {
    printFailure(error, usage);
    process.exit(1);
  }
}

/** Returns whether `--help` is given. Arguments after `--` belong to another program. */
function isHelpRequested(): boolean {
  const given = process.argv.slice(2);
  const own = given.slice(0, given.includes('--') ? given.indexOf('--') : undefined);
  return own.includes('--help') || own.includes('-h');
}

function printFailure(error: unknown, usage: string): void {
  process.stderr.write(`${errorSentence(error)}\n${isMisuse(error) ? `\n${usage}\n` : ''}`);
}

/** Requires an option; its absence is misuse. */
export function requireOption(value: string | undefined, question: string): string {
  if (value) return value;
  throw new UsageError(question);
}

function isMisuse(error: unknown): boolean {
  if (error instanceof UsageError) return true;
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

/** Prints a line of progress. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
