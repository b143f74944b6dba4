import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { requireEnv } from '#lib/values/env.ts';
import type { ErrorCode } from '#lib/values/message.ts';
import { isGlobal } from './address.ts';

/** A validated url with its resolved addresses; requests connect to these only. */
export interface ValidatedDestination {
  readonly url: URL;
  readonly addresses: readonly string[];
}

export const MAX_CHARACTERS = 2048;

/** The only host reached without encryption, by the local run. */
const LOOPBACK = '127.0.0.1';

const RESOLVING = { timeout: 1500, tries: 2 };

/** Returns the fault of a url without resolving its name; undefined if it is valid. */
export function urlIssue(text: string): ErrorCode | undefined {
  const url = URL.parse(text);
  if (!url || text.length > MAX_CHARACTERS) return 'webhook.url';
  if (isOwn(url)) return 'webhook.url_own';
  if (url.username || url.password) return 'webhook.url';
  if (isOnThisMachine(url)) return undefined;
  return url.protocol === 'https:' && url.port === '' ? undefined : 'webhook.url';
}

/** Returns a url without its query, which often contains a token. */
export function withoutQuery(text: string): string {
  const [address = ''] = text.split('?');
  return address;
}

/**
 * Resolves the destination of a url, or returns its fault: all addresses of its name must be global unicast,
 * and at least one must exist. Part 4, 4.2, 5.
 */
export async function destinationOf(text: string): Promise<ValidatedDestination | ErrorCode> {
  const issue = urlIssue(text);
  if (issue) return issue;
  const url = new URL(text);
  if (isOnThisMachine(url)) return { url, addresses: [LOOPBACK] };
  const addresses = await addressesOf(nameOf(url));
  if (addresses.length === 0) return 'webhook.url_without_address';
  return addresses.every(isGlobal) ? { url, addresses } : 'webhook.url_not_public';
}

/**
 * Resolves a name; an address is its own. Uses DNS directly: names in the machine's hosts file are no
 * receivers, and a slow name blocks no other.
 */
async function addressesOf(name: string): Promise<string[]> {
  if (isIP(name)) return [name];
  const resolver = new Resolver(RESOLVING);
  const servers = process.env['DNS_SERVERS'];
  if (servers) resolver.setServers(servers.split(','));
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
}

/** Returns whether a url points at the service itself, by any of its names. */
function isOwn(url: URL): boolean {
  const address = new URL(requireEnv('ADDRESS'));
  if (nameOf(url) === LOOPBACK || address.hostname === LOOPBACK) return url.host === address.host;
  const names = [address.hostname, ...(process.env['OWN_NAMES'] ?? '').split(',')];
  return names.includes(nameOf(url));
}

/** Returns whether a url is on this machine and allowed there, which only the local run's settings permit. */
function isOnThisMachine(url: URL): boolean {
  const isLocalRun = process.env['LOCAL_RECEIVERS'] === 'true';
  return isLocalRun && url.protocol === 'http:' && url.hostname === LOOPBACK;
}

// Strips the final dot of a name and the brackets of an IPv6 address.
function nameOf({ hostname }: URL): string {
  return hostname.replace(/\.$/, '').replace(/^\[|\]$/g, '');
}
