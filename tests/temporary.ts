import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BRIEFLY } from '#bin/local/java.ts';

/** Compiled code, for all processes of all runs: a service that a test starts then loads in half the time. */
const COMPILED = join(import.meta.dirname, '../.build/compiled');

/**
 * Room for what is young in Node's heap, for all processes of a run: most of it is garbage before it is full,
 * and two cores are better spent than on looking for what is not.
 */
const ROOMY = '--max-semi-space-size=32';

/** Gives the run a temporary folder that goes with it: templates left in the system's fill a disk in days. */
export function setup(): () => void {
  process.env['NODE_COMPILE_CACHE'] ??= COMPILED;
  process.env['JAVA_TOOL_OPTIONS'] ??= BRIEFLY;
  process.env['NODE_OPTIONS'] ??= ROOMY;
  const folder = mkdtempSync(join(tmpdir(), 'retail-tests-'));
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
