import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Working folder of a program, and its typed input. */
interface Terminal {
  readonly cwd?: string;
  readonly typed?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs a program of `bin/` to its end, as a person would. A variable that is undefined is not set. */
export async function runProgram(
  name: string,
  args: readonly string[],
  env: Environment = {},
  terminal: Terminal = {},
) {
  return startProgram(name, args, env, terminal).ended;
}

/** Starts a program. To kill it takes all that it has started along, as a terminal that is closed does. */
export function startProgram(
  name: string,
  args: readonly string[],
  env: Environment,
  { cwd, typed = '' }: Terminal = {},
) {
  const file = join(import.meta.dirname, '../../bin', `${name}.ts`);
  const program = spawn(process.execPath, [file, ...args], {
    env: { ...process.env, ...env },
    cwd,
    detached: true,
  });
  program.stdin.end(typed);
  const exit = once(program, 'exit');
  const said = Promise.all([text(program.stdout), text(program.stderr)]);
  const ended = exit.then(async () => {
    const [stdout, stderr] = await said;
    return { code: program.exitCode, stdout, stderr };
  });
  return { ended, kill: () => process.kill(-(program.pid ?? 0), 'SIGKILL') };
}
