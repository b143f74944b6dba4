import { afterEach, beforeEach, expect, vi } from 'vitest';

/** Expects of each test of this file that no promise fails without a handler: it would end the process. */
export function expectHandled(): void {
  const unhandled = vi.fn();
  beforeEach(() => void process.on('unhandledRejection', unhandled));
  afterEach(() => {
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
}
