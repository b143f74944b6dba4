/*
 * Address blocks that are not global unicast, by IANA's special-purpose registries as of October 2025, which
 * change once in some years. `npm test -- receiver/address` names each block.
 */

/** IPv4: blocks registered as not globally reachable or deprecated, multicast and the reserved rest. */
export const SPECIAL_IPV4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** IPv6: global unicast is within this block, */
export const GLOBAL_IPV6: readonly [network: string, prefix: number] = ['2000::', 3];

/** except for protocol, benchmarking and documentation blocks. */
export const SPECIAL_IPV6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
];
