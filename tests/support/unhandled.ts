import { afterEach, beforeEach, expect, vi } from 'vitest';

/** Expects each test of this file to leave no promise without a handler: it would end the process. */
export function expectHandled(): void {
  const unhandled = vi.fn();
  beforeEach(() => void process.on('unhandledRejection', unhandled));
  afterEach(() => {
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
}
