import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { requireEnv } from '#lib/values/env.ts';
import type { ErrorCode } from '#lib/values/message.ts';
import { isGlobal } from './address.ts';

/** A place to which requests to a url go: to the addresses that were judged, and no others. */
export interface ValidatedDestination {
  readonly url: URL;
  readonly addresses: readonly string[];
}

export const MAX_CHARACTERS = 2048;

/** The only host to which this machine's own run sends without encryption. */
const LOOPBACK = '127.0.0.1';

const RESOLVING = { timeout: 1500, tries: 2 };

/** Finds what is wrong with a url, without asking for its addresses; undefined if nothing is. */
export function urlIssue(text: string): ErrorCode | undefined {
  const url = URL.parse(text);
  if (!url || text.length > MAX_CHARACTERS) return 'webhook.url';
  if (isOwn(url)) return 'webhook.url_own';
  if (url.username || url.password) return 'webhook.url';
  if (isOnThisMachine(url)) return undefined;
  return url.protocol === 'https:' && url.port === '' ? undefined : 'webhook.url';
}

/** Gives a url without its query, which often has a token in it. */
export function withoutQuery(text: string): string {
  const [address = ''] = text.split('?');
  return address;
}

/**
 * Finds where requests to a url go just now, or what keeps them from going: every address of its name must be
 * global unicast, and there must be one. Part 4, 4.2, 5.
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
 * Lists the addresses of a name; an address is its own. By DNS itself: the machine's names, in its hosts
 * file, are nobody's receivers, and a name that is slow to resolve holds up no other.
 */
async function addressesOf(name: string): Promise<string[]> {
  if (isIP(name)) return [name];
  const resolver = new Resolver(RESOLVING);
  const servers = process.env['DNS_SERVERS'];
  if (servers) resolver.setServers(servers.split(','));
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
}

/** Tells whether a url is of the service itself, by any of its names. */
function isOwn(url: URL): boolean {
  const address = new URL(requireEnv('ADDRESS'));
  if (nameOf(url) === LOOPBACK || address.hostname === LOOPBACK) return url.host === address.host;
  const names = [address.hostname, ...(process.env['OWN_NAMES'] ?? '').split(',')];
  return names.includes(nameOf(url));
}

/** Tells whether a url is on this machine and may be: only the local run is told so by its settings. */
function isOnThisMachine(url: URL): boolean {
  const isLocalRun = process.env['LOCAL_RECEIVERS'] === 'true';
  return isLocalRun && url.protocol === 'http:' && url.hostname === LOOPBACK;
}

// A name with a dot at its end is the same name, and an address of IPv6 stands in brackets.
function nameOf({ hostname }: URL): string {
  return hostname.replace(/\.$/, '').replace(/^\[|\]$/g, '');
}
