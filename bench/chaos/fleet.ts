import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import * as z from 'zod';
import { randomFrom, type SeededRandom } from '#bench/support/random.ts';
import type { Log } from './log.ts';
import { type Net, setNetFaults } from './net.ts';
import { type FaultProxy, startProxy } from './proxy.ts';

/** The shared parts of a run. */
export interface ChaosRun {
  readonly seed: number;
  readonly net: Net;
  readonly log: Log;
}

/** The largest error of a machine's clock. */
const MAX_OFF_MS = 5_000;

/** Names of processes that have no callers. There are two that fold, to be in each other's way. */
const BEHIND = ['workers', 'folds-1', 'folds-2'];

const PROGRAM = join(import.meta.dirname, 'process.ts');

/** Starts all processes, each behind its own proxy to the table. */
export function startFleet(
  settings: Readonly<Record<string, string>>,
  apis: number,
  { seed, net, log }: ChaosRun,
): Promise<FleetSlot[]> {
  const names = [...Array.from({ length: apis }, (_, index) => `api-${index + 1}`), ...BEHIND];
  return Promise.all(
    names.map(async (name) => {
      const chance = randomFrom(seed, name);
      const proxy = await startProxy(settings['AWS_ENDPOINT_URL_DYNAMODB'] ?? '', chance.next);
      setNetFaults(net, proxy, name, log, chance);
      const slot = new Slot(name, { settings, proxy, chance, log });
      await slot.start();
      return slot;
    }),
  );
}

/** Draws a clock's error: as a rule small, at times as large as can be. */
export function clockError(chance: SeededRandom): number {
  return chance.next() < 0.5 ? chance.between(-500, 500) : chance.between(-MAX_OFF_MS, MAX_OFF_MS);
}

/** The surroundings of a process. */
interface Around {
  readonly settings: Readonly<Record<string, string>>;
  readonly proxy: FaultProxy;
  readonly chance: SeededRandom;
  readonly log: Log;
}

/** A place in the fleet: its process dies and is replaced, its proxy stays. */
export type FleetSlot = Readonly<Slot>;

class Slot {
  readonly name: string;
  /** Undefined while its process starts; empty if it has no callers. */
  address: string | undefined;
  isFrozen = false;
  readonly #around: Around;
  #child: ChildProcess | undefined;

  constructor(name: string, around: Around) {
    this.name = name;
    this.#around = around;
  }

  async start(): Promise<void> {
    const { settings, proxy, chance, log } = this.#around;
    const own = {
      AWS_ENDPOINT_URL_DYNAMODB: proxy.endpoint,
      LOG_LEVEL: 'silent',
      CLOCK_MS: String(clockError(chance)),
      ROLE: this.name.replace(/-\d+$/, ''),
    };
    const child = fork(PROGRAM, [], {
      env: { ...process.env, ...settings, ...own },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child = child;
    const note = (text: unknown) => log.note('stderr', { process: this.name, text: String(text) });
    child.stderr?.on('data', note);
    const [said] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    this.address = z.string().safeParse(said).data;
  }

  /** Ends its process for good. */
  async end(): Promise<void> {
    this.address = undefined;
    this.isFrozen = false;
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async kill(): Promise<void> {
    await this.end();
    await this.start();
  }

  freeze(): void {
    this.isFrozen = this.#child?.kill('SIGSTOP') === true;
  }

  thaw(): void {
    this.isFrozen = false;
    this.#child?.kill('SIGCONT');
  }

  /** Sets its clock off by `ms` milliseconds. */
  setClock(ms: number): void {
    this.#child?.send(ms);
  }

  /** Waits for all that its proxy holds. */
  drain(): Promise<void> {
    return this.#around.proxy.idle();
  }

  async stop(): Promise<void> {
    await this.end();
    await this.#around.proxy.stop();
  }
}
