import { expect } from 'vitest';
import { type ReceivedCall, serveBefore } from './endpoint.ts';
import { runProgram, startProgram } from './program.ts';

/** A program's call, before anything of its work is done. */
interface Scene {
  /** An address among them is one that it calls, as are those of the environment, `AWS_ENDPOINT_URL_…`. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Expects its work to be done, by its output before it was killed and its output at its end. */
  readonly check: (before: string, after: string) => Promise<void>;
}

/**
 * Kills a program after each of its calls in turn, when the call is done and before its response arrives, and
 * runs it again, each time in a new scene: it must end well. Calls that only read are left out, as they leave
 * the same state as the call before them; unless others are named. Returns the number of calls.
 */
export async function killAtEachCall(
  name: string,
  newScene: () => Promise<Scene>,
  isCounted: IsCounted = isChange,
): Promise<number> {
  for (let calls = 1; ; calls++) {
    const scene = await newScene();
    const { code, stdout: before } = await runUntil(calls, name, scene, isCounted);
    const hint = `killed after ${calls} calls, it said: ${before}`;
    if (code !== null) {
      expect(code, hint).toBe(0);
      return calls - 1;
    }
    const again = await runProgram(name, scene.args, scene.env);
    expect({ code: again.code, stderr: again.stderr }, hint).toEqual({ code: 0, stderr: '' });
    await scene.check(before, again.stdout);
  }
}

type IsCounted = (asked: ReceivedCall) => boolean;

/** Runs a program until it has made a number of calls, and kills it; its code is null then. */
async function runUntil(calls: number, name: string, { args, env }: Scene, isCounted: IsCounted) {
  let [begun, done] = [0, 0];
  let kill = () => {};
  const forever = new Promise<never>(() => {});
  const begin = async (asked: ReceivedCall) => {
    // Calls after the last one are never made.
    if (isCounted(asked) && ++begun > calls) await forever;
    return undefined;
  };
  const end = async (asked: ReceivedCall) => {
    if (!isCounted(asked) || ++done < calls) return;
    kill();
    await forever;
  };
  const opened: (() => void)[] = [];
  const behind = async (address: string) => {
    const { url, close } = await serveBefore(address, begin, end);
    opened.push(close);
    return url;
  };
  const addresses = Object.entries({ ...process.env, ...env }).filter(([each]) => ENDPOINT.test(each));
  const moved = addresses.map(async ([each, address = '']) => [each, await behind(address)] as const);
  const program = startProgram(
    name,
    await Promise.all(args.map((arg) => (arg.startsWith('http:') ? behind(arg) : arg))),
    { ...env, ...Object.fromEntries(await Promise.all(moved)) },
  );
  kill = program.kill;
  const ended = await program.ended;
  for (const close of opened) close();
  return ended;
}

const ENDPOINT = /^AWS_ENDPOINT_URL/;
const READS = /^(Get|BatchGet|TransactGet|Query|Scan|Describe|List)/;

function isChange({ method, operation }: ReceivedCall): boolean {
  return !/^(GET|HEAD|OPTIONS)$/.test(method) && !READS.test(operation);
}
