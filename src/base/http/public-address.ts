/**
 * Decides which external addresses may be connected to: public https addresses, and explicitly allowed ones for local work.
 * Used for webhook receivers ("Setup rules", 1) and for redirects of downloads.
 */
import { BlockList, isIP } from 'node:net';

/** IANA's special-purpose registry and multicast, plus the host address inside Azure, which looks public and is not. */
const deniedIpv4 = toBlockList('ipv4', [
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
  ['168.63.129.16', 32],
]);
/** The only block of public addresses; a deny list would need every other block. */
const grantedIpv6 = toBlockList('ipv6', [['2000::', 3]]);
/** Teredo and other special purposes, documentation, 6to4 (which hides an IPv4 address). */
const deniedIpv6 = toBlockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);
const mappedIpv4 = toBlockList('ipv6', [['::ffff:0:0', 96]]);

/** Reserved names (RFC 6762 and its appendix G, RFC 7686, RFC 8375, ICANN on .internal) and service names of clusters. */
const privateNames = /\.(?:local|internal|intranet|lan|home|corp|svc|onion)$|(?:^|\.)home\.arpa$/;

/** Addresses that are accepted although they are not public or not https. */
export interface AddressAllowance {
  readonly networks: BlockList;
  /** `port`: null for any. */
  readonly hosts: readonly { readonly hostname: string; readonly port: string | null }[];
}

/**
 * Reads networks (`127.0.0.1/32`, `fd00::/8`) and hosts with or without a port (`localhost:3000`, `[::1]`, `receiver`). A host
 * is allowed whatever it resolves to; a network allows every name that resolves into it. Both allow plain http, a network only
 * for a URL with the IP address itself.
 * @throws {RangeError} for any other entry
 */
export function parseAllowance(entries: readonly string[]): AddressAllowance {
  const networks = new BlockList();
  const hosts: { hostname: string; port: string | null }[] = [];
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const host = prefix === undefined ? parseHost(entry) : null;
    if (host !== null) hosts.push(host);
    else if (!addNetwork(networks, address, prefix)) {
      throw new RangeError(
        `${JSON.stringify(entry)} is neither a network like 127.0.0.1/32 nor a host like localhost:3000`,
      );
    }
  }
  return { networks, hosts };
}

/** False for a text that is not an IP address, and for an address with a network interface (`%eth0`). */
export function isPublicAddress(ip: string): boolean {
  const family = isIP(ip);
  if (family === 4) return !deniedIpv4.check(ip, 'ipv4');
  if (family !== 6 || ip.includes('%')) return false;
  // A BlockList would also apply its IPv4 rules to the mapped form.
  if (mappedIpv4.check(ip, 'ipv6')) return !deniedIpv4.check(ip, 'ipv6');
  return grantedIpv6.check(ip, 'ipv6') && !deniedIpv6.check(ip, 'ipv6');
}

/** True when a request to `url` may connect to this IP address. */
export function mayConnect(url: URL, ip: string, allowed: AddressAllowance): boolean {
  return isPublicAddress(ip) || isAllowedHost(url, allowed) || isAllowedAddress(ip, allowed);
}

/** `reason` completes "The address …" and does not quote the address. */
export interface AddressRefusal {
  readonly error: 'invalid_address' | 'private_address';
  readonly reason: string;
}

/** null when the address can be saved. A name is resolved only when a connection is made. */
export function checkPublicUrl(
  text: string,
  { allowed }: { readonly allowed: AddressAllowance },
): AddressRefusal | null {
  if (!URL.canParse(text)) return invalid('is not a URL');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return invalid('does not begin with https://');
  if (url.username !== '' || url.password !== '') return invalid('contains a user name or a password');
  const ip = literalAddress(url);
  if (isAllowedHost(url, allowed) || (ip !== null && isAllowedAddress(ip, allowed))) return null;
  if (url.protocol !== 'https:') return invalid('does not begin with https://');
  return ip === null ? checkName(url.hostname) : checkAddress(ip);
}

function checkAddress(ip: string): AddressRefusal | null {
  return isPublicAddress(ip) ? null : notPublic('is an IP address of a private or reserved network');
}

function checkName(hostname: string): AddressRefusal | null {
  // The URL parser keeps trailing dots, and treats `127.0.0.1..` as a name.
  let name = hostname;
  while (name.endsWith('.')) name = name.slice(0, -1);
  if (isIP(name) !== 0) return checkAddress(name);
  if (/(?:^|\.)localhost$/.test(name)) return notPublic('names this machine');
  if (!name.includes('.')) return notPublic('has a host name without a dot, which only a private network knows');
  return privateNames.test(name) ? notPublic('has a host name that only private networks use') : null;
}

function invalid(reason: string): AddressRefusal {
  return { error: 'invalid_address', reason };
}

function notPublic(reason: string): AddressRefusal {
  return { error: 'private_address', reason };
}

/** The URL parser has normalized every form of an IP address (0x7f.1, 2130706433, ①②⑦.0.0.1). */
function literalAddress({ hostname }: URL): string | null {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) === 0 ? null : address;
}

function isAllowedHost(url: URL, { hosts }: AddressAllowance): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return hosts.some((host) => host.hostname === url.hostname && (host.port ?? port) === port);
}

function isAllowedAddress(ip: string, { networks }: AddressAllowance): boolean {
  return networks.check(ip, isIP(ip) === 4 ? 'ipv4' : 'ipv6');
}

function parseHost(entry: string): AddressAllowance['hosts'][number] | null {
  const [, host, port] = /^(\[[\da-f:.]+\]|[^\s:/?#@[\]\\]+)(?::(\d{1,5}))?$/i.exec(entry) ?? [];
  if (host === undefined || Number(port ?? 1) > 65_535 || !URL.canParse(`http://${host}`)) return null;
  return { hostname: new URL(`http://${host}`).hostname, port: port === undefined ? null : String(Number(port)) };
}

function addNetwork(networks: BlockList, address: string, prefix = ''): boolean {
  const family = isIP(address);
  if (family === 0 || !/^\d{1,3}$/.test(prefix) || Number(prefix) > (family === 4 ? 32 : 128)) return false;
  networks.addSubnet(address, Number(prefix), family === 4 ? 'ipv4' : 'ipv6');
  return true;
}

function toBlockList(family: 'ipv4' | 'ipv6', subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
}
