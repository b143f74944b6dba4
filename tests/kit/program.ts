import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Runs a program of `bin/` to its end, as a person would. */
export async function runProgram(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const file = join(import.meta.dirname, '../../bin', `${name}.ts`);
  const program = spawn(process.execPath, [file, ...args], { env: { ...process.env, ...env } });
  const ended = once(program, 'exit');
  const [stdout, stderr] = await Promise.all([text(program.stdout), text(program.stderr)]);
  await ended;
  return { code: program.exitCode, stdout, stderr };
}
