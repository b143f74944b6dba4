import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/longest-first.ts';
import { skippedTests } from './tests/skipped.ts';
import { MAX_WAIT_MS } from './tests/support/patience.ts';
import {
  CONVENTIONS,
  CRASHES,
  ENGINE,
  INFRA,
  ISOLATED,
  TEMPLATES,
  TOOLS,
  WITH_STREAM,
} from './tests/tiers.ts';

// Only ends what hangs. What a machine with other work makes slow has not failed, and speed has its benches.
const PATIENCE_MS = 3_600_000;

// A test that waits for the table, a timer or a process needs no core: three more than there are use all.
const maxWorkers = availableParallelism() + 3;

const OTHERS = '**/node_modules/**';

/**
 * What tests need that call a service: the one that a module of `tests/` starts, and rules for every call.
 */
const runBeside = (service: string) => ({
  globalSetup: ['./tests/temporary.ts', service],
  setupFiles: ['./tests/settings.ts', './tests/support/rules.ts'],
});

export default defineConfig({
  test: {
    maxWorkers,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', skippedTests],
    testTimeout: PATIENCE_MS,
    hookTimeout: PATIENCE_MS,
    // A poll waits a second unless told otherwise, which a busy machine passes.
    expect: { poll: { timeout: MAX_WAIT_MS } },
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          include: ['tests/**/*.test.ts'],
          exclude: [
            ...[CONVENTIONS, CRASHES, INFRA, TEMPLATES, OTHERS],
            ...[...TOOLS, ...ISOLATED, ...WITH_STREAM],
          ],
          isolate: false,
          ...runBeside('./tests/service.ts'),
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: [...ISOLATED, TEMPLATES], ...runBeside('./tests/service.ts') },
      },
      {
        extends: true,
        test: {
          name: 'with-stream',
          include: [...WITH_STREAM],
          isolate: false,
          ...runBeside('./tests/service-with-stream.ts'),
        },
      },
      {
        extends: true,
        test: {
          name: 'tools',
          include: [...TOOLS],
          exclude: [CRASHES, OTHERS],
          isolate: false,
          ...runBeside('./tests/service-with-stream.ts'),
        },
      },
      { extends: true, test: { name: 'crash', include: [CRASHES], ...runBeside('./tests/service.ts') } },
      { extends: true, test: { name: 'engine', include: [...ENGINE], ...runBeside('./tests/service.ts') } },
      { extends: true, test: { name: 'conventions', include: [CONVENTIONS], isolate: false } },
      {
        extends: true,
        test: {
          name: 'infra',
          isolate: false,
          include: [INFRA],
          exclude: [OTHERS],
          globalSetup: ['./tests/temporary.ts', './tests/infra/bundling.ts'],
        },
      },
    ],
  },
});
