import { isIPv6 } from 'node:net';

/**
 * Returns the rate-limit key of an IP address: the first 64 bits of IPv6, as one connection has all addresses
 * with that prefix; all of IPv4, also if it is mapped to IPv6. Contract 9.93.
 */
export function addressToCount(ip: string): string {
  const address = ip.split('%', 1)[0] ?? '';
  if (!isIPv6(address)) return ip;
  const groups = groupsOf(address);
  const isMapped = groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff';
  if (!isMapped) return `${groups.slice(0, 4).join(':')}::/64`;
  const bytes = Buffer.from(
    groups
      .slice(6)
      .map((group) => group.padStart(4, '0'))
      .join(''),
    'hex',
  );
  return [...bytes].join('.');
}

/** Returns the eight groups of an IPv6 address, in the canonical form of a URL. */
export function groupsOf(address: string): string[] {
  const [before, after] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const [head = [], tail = []] = [before, after];
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail];
}
