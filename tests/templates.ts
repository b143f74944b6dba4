import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { start } from './service.ts';

/**
 * Tests of templates of the platform. What these make comes to every family: they have a service of their
 * own, beside the one that the root's `globalSetup` starts for all.
 */
export const TEMPLATES = join('tests/functions/admin/product', '**', '*.test.ts');

/** Starts that service. */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  return start(project, { WITHOUT_STREAM: '1' });
}
