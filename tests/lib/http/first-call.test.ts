import { afterEach, expect, test, vi } from 'vitest';
import { Confirmation } from '#lib/http/wire/response.ts';
import { newEvent } from '#tests/support/event.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test('the line of a function’s first call tells how long it took to start, unless it was started ahead', async () => {
  const lines: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  const ofCalls = async (type: string) => {
    vi.stubEnv('AWS_LAMBDA_INITIALIZATION_TYPE', type);
    // As a new process has them.
    vi.resetModules();
    const module = await import('#lib/http/endpoint.ts');
    const nothing = module.endpoint({ right: 'anyone', response: Confirmation, run: async () => undefined });
    await nothing(...newEvent());
    await nothing(...newEvent());
    return lines.splice(0).map((line) => JSON.parse(line).init_ms);
  };
  expect(await ofCalls('on-demand')).toEqual([expect.any(Number), undefined]);
  expect(await ofCalls('provisioned-concurrency')).toEqual([undefined, undefined]);
});
