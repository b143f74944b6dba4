import type { TestProject } from 'vitest/node';
import { start } from './service.ts';

/** Starts a service in which all runs that a deployment has: the table's stream, and every worker. */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  return start(project, {});
}
