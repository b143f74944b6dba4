import type { TestProject } from 'vitest/node';
import { start } from './service.ts';

const PRODUCTS = 'tests/functions/admin/product';

/**
 * Tests of templates of the platform. What these make comes to every family: they have a service of their
 * own, beside the one that the root's `globalSetup` starts for all.
 */
export const TEMPLATES = [`${PRODUCTS}/unit.test.ts`, `${PRODUCTS}/service-unit.test.ts`];

/** Starts that service. */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  return start(project, { WITHOUT_STREAM: '1' });
}
