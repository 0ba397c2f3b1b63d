/** For example `ECONNREFUSED`, `CERT_HAS_EXPIRED`. Without instanceof, because jest has its own Error class. */
export function systemCodeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** `there is no such file (ENOENT)`: the code stays, so that it can be searched. */
export function describeSystemError(error: unknown): string {
  return describeSystemCode(systemCodeOf(error) ?? 'unknown error');
}

/** A code without words here, such as those of Node and OpenSSL that name themselves, is returned alone. */
export function describeSystemCode(code: string): string {
  const known = words.get(code);
  return known === undefined ? code : `${known} (${code})`;
}

/** Puts the words before a text of Node with a code: `nothing accepts connections there (connect ECONNREFUSED 127.0.0.1:7233)`. */
export function explainSystemText(text: string): string {
  const known = words.get(/\bE[A-Z]{3,}\b/.exec(text)?.[0] ?? '');
  return known === undefined ? text : `${known} (${text})`;
}

/** Codes of POSIX (errno), of the name resolution, and of Node's HTTP client. */
const words: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'no permission'],
  ['EADDRINUSE', 'the address is in use'],
  ['EADDRNOTAVAIL', 'this machine has no such address'],
  ['EAI_AGAIN', 'the name of the host could not be resolved at the moment'],
  ['EBUSY', 'another program uses it'],
  ['ECONNABORTED', 'the connection was aborted'],
  ['ECONNREFUSED', 'nothing accepts connections there'],
  ['ECONNRESET', 'the connection was closed by the other side'],
  ['EDQUOT', 'the disk quota of this user is used up'],
  ['EEXIST', 'it exists already'],
  ['EFBIG', 'the file is too large for the file system'],
  ['EHOSTUNREACH', 'no network route to the host'],
  ['EINVAL', 'the operating system does not accept the name or the operation'],
  ['EIO', 'the disk reports an error'],
  ['EISDIR', 'it is a folder'],
  ['ELOOP', 'too many links that point to each other'],
  ['EMFILE', 'this process has too many open files'],
  ['ENAMETOOLONG', 'the name is too long'],
  ['ENETUNREACH', 'no network'],
  ['ENFILE', 'this machine has too many open files'],
  ['ENOENT', 'there is no such file'],
  ['ENOMEM', 'not enough memory'],
  ['ENOSPC', 'the disk is full'],
  ['ENOTDIR', 'a part of the path is not a folder'],
  ['ENOTEMPTY', 'the folder is not empty'],
  ['ENOTFOUND', 'there is no host of this name'],
  ['ENXIO', 'it is a socket or a device, not a file'],
  ['EPERM', 'the operating system does not permit it'],
  ['EPIPE', 'the other side has closed the connection'],
  ['EROFS', 'the file system is read-only'],
  ['ETIMEDOUT', 'no answer in time'],
  ['ETXTBSY', 'the program is in use'],
  ['UND_ERR_CONNECT_TIMEOUT', 'no connection in time'],
  ['UND_ERR_SOCKET', 'the connection was closed by the other side'],
]);
