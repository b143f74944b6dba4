import { beforeEach, expect, test, vi } from 'vitest';
import { destinationOf, urlIssue } from '#lib/webhooks/receiver/destination.ts';
import { startNameServer } from '#tests/support/name-server.ts';

const OWN = 'https://shops.example.com';

beforeEach(() => {
  vi.stubEnv('ADDRESS', OWN);
  vi.stubEnv('OWN_NAMES', 'd111111abcdef8.cloudfront.net,abc.execute-api.eu-central-1.amazonaws.com');
  vi.stubEnv('LOCAL_RECEIVERS', '');
  return () => vi.unstubAllEnvs();
});

test.each([
  ['http://receiver.example', 'webhook.url'],
  ['https://receiver.example:8443/', 'webhook.url'],
  ['https://user@receiver.example/', 'webhook.url'],
  ['https://user:secret@receiver.example/', 'webhook.url'],
  ['ftp://receiver.example/', 'webhook.url'],
  ['receiver.example', 'webhook.url'],
  [`https://receiver.example/${'a'.repeat(2048)}`, 'webhook.url'],
  ['http://127.0.0.1:3000/', 'webhook.url'],
  [`${OWN}/company/trade/sale`, 'webhook.url_own'],
  ['https://SHOPS.example.com./', 'webhook.url_own'],
  ['https://d111111abcdef8.cloudfront.net/', 'webhook.url_own'],
  ['https://abc.execute-api.eu-central-1.amazonaws.com/', 'webhook.url_own'],
])('a url that is not https on port 443 to somebody else is refused: %s', (url, issue) => {
  expect(urlIssue(url)).toBe(issue);
});

test.each(['https://receiver.example', 'https://receiver.example:443/a?b=c', 'https://example.uz/путь'])(
  'https on port 443 is taken: %s',
  (url) => {
    expect(urlIssue(url)).toBeUndefined();
  },
);

test.each([
  ['https://10.0.0.1/', 'webhook.url_not_public'],
  ['https://2130706433/', 'webhook.url_not_public'],
  ['https://0x7f.1/', 'webhook.url_not_public'],
  ['https://[::1]/', 'webhook.url_not_public'],
  ['https://[::ffff:169.254.169.254]/', 'webhook.url_not_public'],
])('an address in the url is judged as itself: %s', async (url, issue) => {
  expect(await destinationOf(url)).toBe(issue);
});

test('a global address in the url goes to itself', async () => {
  expect(await destinationOf('https://8.8.8.8/')).toMatchObject({ addresses: ['8.8.8.8'] });
});

test('all addresses of a name must be global, and there must be one', async () => {
  await withNames(
    {
      'all.example': ['8.8.8.8', '2606:4700:4700::1111'],
      'one.example': ['8.8.8.8', '10.0.0.1'],
      'sixth.example': ['8.8.8.8', 'fd00::1'],
    },
    async () => {
      const expected = { addresses: ['8.8.8.8', '2606:4700:4700::1111'] };
      expect(await destinationOf('https://all.example/')).toMatchObject(expected);
      expect(await destinationOf('https://one.example/')).toBe('webhook.url_not_public');
      expect(await destinationOf('https://sixth.example/')).toBe('webhook.url_not_public');
      expect(await destinationOf('https://none.example/')).toBe('webhook.url_without_address');
    },
  );
});

test('a name that resolves otherwise the next time is judged anew', async () => {
  const turns = [['8.8.8.8'], ['169.254.169.254']];
  const names = { 'turning.example': () => turns.shift() ?? [] };
  await withNames(names, async () => {
    expect(await destinationOf('https://turning.example/')).toMatchObject({ addresses: ['8.8.8.8'] });
    expect(await destinationOf('https://turning.example/')).toBe('webhook.url_not_public');
  });
});

test('the local run alone takes http://127.0.0.1, but not its own port', async () => {
  vi.stubEnv('LOCAL_RECEIVERS', 'true');
  vi.stubEnv('ADDRESS', 'http://127.0.0.1:3000');
  expect(await destinationOf('http://127.0.0.1:4000/hook')).toMatchObject({ addresses: ['127.0.0.1'] });
  expect(urlIssue('http://127.0.0.1:3000/')).toBe('webhook.url_own');
  expect(urlIssue('http://127.1:3000/')).toBe('webhook.url_own');
  expect(urlIssue('http://localhost:4000/')).toBe('webhook.url');
  expect(urlIssue('http://127.0.0.2:4000/')).toBe('webhook.url');
});

/** Runs work with a name server for these names: by their first look-up of an IPv4 address. */
async function withNames(
  names: Readonly<Record<string, readonly string[] | (() => readonly string[])>>,
  work: () => Promise<void>,
): Promise<void> {
  const taken = new Map<string, readonly string[]>();
  const { server, stop } = await startNameServer((name) => {
    const known = names[name] ?? [];
    if (typeof known !== 'function') return known;
    // Both kinds of address are queried at once, and belong to one look-up.
    const before = taken.get(name);
    if (before) {
      taken.delete(name);
      return before;
    }
    const fresh = known();
    taken.set(name, fresh);
    return fresh;
  });
  vi.stubEnv('DNS_SERVERS', server);
  try {
    await work();
  } finally {
    stop();
  }
}
