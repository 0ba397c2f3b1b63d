/** Hashes of passwords, one line each: `scrypt:N:8:p:SALT:KEY` (RFC 7914, base64url). Colons, because shells and Docker Compose replace what follows `$`. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** 32 MiB, and some tenths of a second (OWASP, Password Storage Cheat Sheet). */
const chosenCost = { N: 32_768, p: 3 };
const blockSize = 8;
const saltBytes = 16;
const keyBytes = 32;

/** Of 16 to 128 MiB, so that no hash takes the memory of the process. */
export const passwordHashPattern =
  /^scrypt:(16384|32768|65536|131072):8:([1-9]):([A-Za-z0-9_-]{22}):([A-Za-z0-9_-]{43})$/;

interface ParsedHash {
  readonly N: number;
  readonly p: number;
  readonly salt: Buffer;
  readonly key: Buffer;
}

export async function hashPassword(password: string, cost = chosenCost): Promise<string> {
  const salt = randomBytes(saltBytes);
  return toText({ ...cost, salt, key: await deriveKey(password, { ...cost, salt }) });
}

/** Takes the same time whether it is right or wrong. @throws {RangeError} for a text that is no hash */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const parsed = parseHash(hash);
  return timingSafeEqual(await deriveKey(password, parsed), parsed.key);
}

/** A hash that no password has; checking it takes as long as checking `hash`. */
export function toDecoyHash(hash: string): string {
  return toText({ ...parseHash(hash), salt: randomBytes(saltBytes), key: randomBytes(keyBytes) });
}

function parseHash(hash: string): ParsedHash {
  const [, N, p, salt = '', key = ''] = passwordHashPattern.exec(hash) ?? [];
  if (N === undefined) throw new RangeError('not a password hash');
  return { N: Number(N), p: Number(p), salt: Buffer.from(salt, 'base64url'), key: Buffer.from(key, 'base64url') };
}

function toText({ N, p, salt, key }: ParsedHash): string {
  return ['scrypt', N, blockSize, p, salt.toString('base64url'), key.toString('base64url')].join(':');
}

/** Systems compose characters differently, and a password is the same on all of them. */
function deriveKey(password: string, { N, p, salt }: Omit<ParsedHash, 'key'>): Promise<Buffer> {
  const cost = { N, r: blockSize, p, maxmem: 256 * N * blockSize };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, keyBytes, cost, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
