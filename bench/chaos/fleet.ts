import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import * as z from 'zod';
import { randomFrom, type SeededRandom } from '#bench/support/random.ts';
import type { Log } from './log.ts';
import { type Lines, type Net, setNetFaults } from './net.ts';
import { startProxy } from './proxy.ts';

/** Shared parts of a run. */
export interface ChaosRun {
  readonly seed: number;
  readonly net: Net;
  readonly log: Log;
}

/** Largest error of a machine's clock. */
const MAX_OFF_MS = 5_000;

/** Names of processes without callers. Two of them update rollups, to contend with each other. */
const BEHIND = ['workers', 'folds-1', 'folds-2'];

const PROGRAM = join(import.meta.dirname, 'process.ts');

/** Starts all processes, each behind its own proxies to the table and the queues. */
export function startFleet(
  settings: Readonly<Record<string, string>>,
  apis: number,
  { seed, net, log }: ChaosRun,
): Promise<FleetSlot[]> {
  const names = [...Array.from({ length: apis }, (_, index) => `api-${index + 1}`), ...BEHIND];
  return Promise.all(
    names.map(async (name) => {
      const chance = randomFrom(seed, name);
      const [table, queues] = await Promise.all([
        startProxy(settings['AWS_ENDPOINT_URL_DYNAMODB'] ?? '', chance.next),
        startProxy(settings['AWS_ENDPOINT_URL_SQS'] ?? '', chance.next),
      ]);
      const lines = { table, queues };
      setNetFaults(net, lines, { process: name, log, chance });
      const slot = new Slot(name, { settings: settingsThrough(lines, settings), lines, chance, log });
      await slot.start();
      return slot;
    }),
  );
}

/** Builds the settings of a process that reaches its table and its queues through proxies. */
function settingsThrough({ table, queues }: Lines, settings: Readonly<Record<string, string>>) {
  const direct = settings['AWS_ENDPOINT_URL_SQS'] ?? '';
  const ofQueues = Object.entries(settings).filter(([name]) => /^(AWS_ENDPOINT_URL_SQS$|QUEUE_)/.test(name));
  const through = ofQueues.map(([name, url]) => [name, url.replace(direct, queues.endpoint)] as const);
  return { ...settings, ...Object.fromEntries(through), AWS_ENDPOINT_URL_DYNAMODB: table.endpoint };
}

/** Draws a clock's error: usually small, at times close to the maximum. */
export function clockError(chance: SeededRandom): number {
  return chance.next() < 0.5 ? chance.between(-500, 500) : chance.between(-MAX_OFF_MS, MAX_OFF_MS);
}

/** Environment of a process. */
interface Around {
  readonly settings: Readonly<Record<string, string>>;
  readonly lines: Lines;
  readonly chance: SeededRandom;
  readonly log: Log;
}

/** Slot of the fleet: its process dies and is replaced, its proxies stay. */
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

  /** Starts its process, with additional environment variables. */
  async start(more: Readonly<Record<string, string>> = {}): Promise<void> {
    const { settings, chance, log } = this.#around;
    const own = {
      LOG_LEVEL: 'silent',
      CLOCK_MS: String(clockError(chance)),
      ROLE: this.name.replace(/-\d+$/, ''),
      ...more,
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

  /** Stops its process for good. */
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

  /** Waits for all calls held by its proxies. */
  async drain(): Promise<void> {
    const { table, queues } = this.#around.lines;
    await Promise.all([table.idle(), queues.idle()]);
  }

  async stop(): Promise<void> {
    await this.end();
    const { table, queues } = this.#around.lines;
    await Promise.all([table.stop(), queues.stop()]);
  }
}
