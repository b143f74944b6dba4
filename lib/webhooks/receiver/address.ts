import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { groupsOf } from '#lib/auth/address.ts';
import { GLOBAL_IPV6, SPECIAL_IPV4, SPECIAL_IPV6 } from './special-addresses.ts';

const special = blocksOf(SPECIAL_IPV4, SPECIAL_IPV6);
const global = blocksOf([], [GLOBAL_IPV6]);

/**
 * Returns whether an address is global unicast by IANA's registries, so no private network, internal cloud
 * service or machine of ours has it. An IPv4 embedded in an IPv6 is checked as IPv4. Part 4, 4.2, 5.
 */
export function isGlobal(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return false;
  const groups = groupsOf(address).map((group) => Number.parseInt(group, 16));
  const within = ipv4Within(groups);
  if (within !== undefined) return isGlobal(within);
  return global.check(address, 'ipv6') && !special.check(address, 'ipv6') && isGlobalTunnel(groups);
}

/**
 * Returns the IPv4 embedded in an IPv6: mapped or compatible (`::ffff:0:0/96`, `::/96`), translated
 * (`64:ff9b::/96`), or relayed (`2002::/16`).
 */
function ipv4Within(groups: readonly number[]): string | undefined {
  const [first = 0, second = 0, third = 0] = groups;
  if (first === 0x2002) return ipv4Of(second, third);
  const begins = (...prefix: readonly number[]) => prefix.every((group, index) => groups[index] === group);
  const isLast =
    begins(0, 0, 0, 0, 0, 0) || begins(0, 0, 0, 0, 0, 0xffff) || begins(0x64, 0xff9b, 0, 0, 0, 0);
  return isLast ? ipv4Of(groups[6], groups[7]) : undefined;
}

/** Checks the IPv4 to which an ISATAP interface tunnels: `…:0:5efe:a.b.c.d`. */
function isGlobalTunnel([, , , , fifth = 0, sixth, seventh, eighth]: readonly number[]): boolean {
  const isTunnel = (fifth & ~0x200) === 0 && sixth === 0x5efe;
  return !isTunnel || isGlobal(ipv4Of(seventh, eighth));
}

function ipv4Of(high = 0, low = 0): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

type Blocks = readonly (readonly [network: string, prefix: number])[];

function blocksOf(ipv4: Blocks, ipv6: Blocks): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ipv4) list.addSubnet(network, prefix, 'ipv4');
  for (const [network, prefix] of ipv6) list.addSubnet(network, prefix, 'ipv6');
  return list;
}
