import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives the run a temporary folder that goes with it: templates left in the system's fill a disk in days. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'retail-tests-'));
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
