import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Everything that has happened, in order, to be read if something does not add up. */
export interface Log {
  readonly file: string;
  /** How often each thing has happened. */
  readonly counts: ReadonlyMap<string, number>;
  /** Writes something down, and counts it. */
  note(what: string, about: object): void;
}

/** Begins a log, `.local/chaos-<seed>.log`. */
export function newLog(seed: number): Log {
  const directory = join(process.cwd(), '.local');
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `chaos-${seed}.log`);
  const stream = createWriteStream(file);
  const counts = new Map<string, number>();
  const began = performance.now();
  return {
    file,
    counts,
    note: (what, about) => {
      counts.set(what, (counts.get(what) ?? 0) + 1);
      const ms = Math.round(performance.now() - began);
      stream.write(`${JSON.stringify({ ms, what, ...about })}\n`);
    },
  };
}
