import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import * as z from 'zod';
import { type Chance, chanceOf } from '#bench/kit/random.ts';
import type { Log } from './log.ts';
import { type Net, setNetFaults } from './net.ts';
import { type FaultProxy, startProxy } from './proxy.ts';

/** A place in the fleet: its process dies and is replaced, its proxy stays. */
export interface FleetSlot {
  readonly name: string;
  /** Undefined while its process starts; empty for workers. */
  readonly address: string | undefined;
  readonly isFrozen: boolean;
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Sets its clock off by `ms` milliseconds. */
  setClock(ms: number): void;
  /** Waits for all that its proxy holds. */
  settle(): Promise<void>;
  /** Ends its process for good. */
  end(): Promise<void>;
  stop(): Promise<void>;
}

/** The shared parts of a run. */
export interface ChaosRun {
  readonly seed: number;
  readonly net: Net;
  readonly log: Log;
}

/** The largest error of a machine's clock. */
const MOST_OFF_MS = 5_000;

const PROGRAM = join(import.meta.dirname, 'process.ts');

/** Starts the processes of the API and one of workers, each behind its own proxy to the table. */
export function startFleet(
  settings: Readonly<Record<string, string>>,
  apis: number,
  { seed, net, log }: ChaosRun,
): Promise<FleetSlot[]> {
  const names = [...Array.from({ length: apis }, (_, index) => `api-${index + 1}`), 'workers'];
  return Promise.all(names.map((name) => startSlot(name, settings, chanceOf(seed, name), net, log)));
}

/** Draws a clock's error: as a rule small, at times as large as can be. */
export function clockError(chance: Chance): number {
  return chance.next() < 0.5 ? chance.between(-500, 500) : chance.between(-MOST_OFF_MS, MOST_OFF_MS);
}

async function startSlot(
  name: string,
  settings: Readonly<Record<string, string>>,
  chance: Chance,
  net: Net,
  log: Log,
): Promise<FleetSlot> {
  const proxy: FaultProxy = await startProxy(settings['AWS_ENDPOINT_URL_DYNAMODB'] ?? '', chance.next);
  setNetFaults(net, proxy, name, log);
  let address: string | undefined;
  let isFrozen = false;
  let child: ChildProcess;

  const start = async () => {
    child = fork(PROGRAM, [], {
      env: {
        ...process.env,
        ...settings,
        AWS_ENDPOINT_URL_DYNAMODB: proxy.endpoint,
        LOG_LEVEL: 'silent',
        CLOCK_MS: String(clockError(chance)),
        ROLE: name === 'workers' ? 'workers' : 'api',
      },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    child.stderr?.on('data', (text) => log.note('stderr', { process: name, text: String(text) }));
    const [said] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    address = z.string().safeParse(said).data;
  };
  const end = async () => {
    address = undefined;
    isFrozen = false;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };

  await start();
  return {
    name,
    get address() {
      return address;
    },
    get isFrozen() {
      return isFrozen;
    },
    kill: async () => {
      await end();
      await start();
    },
    freeze: () => {
      isFrozen = child.kill('SIGSTOP');
    },
    thaw: () => {
      isFrozen = false;
      child.kill('SIGCONT');
    },
    setClock: (ms) => void child.send(ms),
    settle: proxy.idle,
    end,
    stop: async () => {
      await end();
      await proxy.stop();
    },
  };
}
