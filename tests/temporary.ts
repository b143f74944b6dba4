import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Compiled code, for all processes of all runs: a service that a test starts then loads in half the time. */
const COMPILED = join(import.meta.dirname, '../.build/compiled');

/**
 * Room for what is young in Node's heap, for all processes of a run: most of it is garbage before it is full,
 * and two cores are better spent than on looking for what is not.
 */
const ROOMY = '--max-semi-space-size=32';

/** What the names of temporary folders of runs begin with. */
const FOLDER = 'retail-tests-';

/**
 * Gives the run a temporary folder that goes with it: templates left in the system's fill a disk in days.
 * Each project that starts a service calls this before it, as they are set up before what is common to all.
 */
export function setup(): () => void {
  process.env['NODE_COMPILE_CACHE'] ??= COMPILED;
  process.env['NODE_OPTIONS'] ??= ROOMY;
  // Within the run's own, sockets of browsers would have too long a path.
  if (basename(tmpdir()).startsWith(FOLDER)) return () => {};
  const folder = mkdtempSync(join(tmpdir(), FOLDER));
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
