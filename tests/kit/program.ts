import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** A program's folder, and what somebody types to it. */
interface Terminal {
  readonly cwd?: string;
  readonly typed?: string;
}

/** Runs a program of `bin/` to its end, as a person would. A variable that is undefined is not set. */
export async function runProgram(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  { cwd, typed = '' }: Terminal = {},
) {
  const file = join(import.meta.dirname, '../../bin', `${name}.ts`);
  const program = spawn(process.execPath, [file, ...args], { env: { ...process.env, ...env }, cwd });
  program.stdin.end(typed);
  const ended = once(program, 'exit');
  const [stdout, stderr] = await Promise.all([text(program.stdout), text(program.stderr)]);
  await ended;
  return { code: program.exitCode, stdout, stderr };
}
