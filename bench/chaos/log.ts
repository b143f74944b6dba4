import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Log of all events in order, to analyze disagreements. */
export interface Log {
  readonly file: string;
  /** Number of events by kind. */
  readonly counts: ReadonlyMap<string, number>;
  /** Logs an event and counts it. */
  note(what: string, about: object): void;
}

/** Opens a log, `.local/chaos-<seed>.log`. */
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
