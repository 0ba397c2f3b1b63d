/** What a hostile or broken server may answer instead of what it should. */
import { gzipSync } from 'node:zlib';

/** A number from 0 to 1, exclusive. */
export type Random = () => number;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Makes a hostile answer of a good one, of which `json` is the body. */
export type Mutation = (json: unknown, random: Random) => Answer;

/** The same numbers for the same seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const megabyte = 1024 ** 2;
const controls = '\u001b]0;owned\u0007\u001b[2J\r\n\u0000\u202e\u2066\u200b\ufeff\ud800';
const slowForPatterns = [
  '0'.repeat(65_000),
  `${'1'.repeat(65_000)}x`,
  ' '.repeat(megabyte),
  `${'a.'.repeat(60_000)}@`,
  'https://'.repeat(20_000),
  '@'.repeat(200_000),
  '"'.repeat(200_000),
];

/** By what it does. */
export const mutations: Readonly<Record<string, Mutation>> = {
  'a text of 1 MB': changeLeaf(() => 'x'.repeat(megabyte)),
  'a text that patterns take long for': changeLeaf((random) => pick(slowForPatterns, random)),
  'control characters': changeLeaf(() => controls.repeat(20)),
  'an empty text': changeLeaf(() => ''),
  'another type': changeLeaf((random) => pick([null, true, 1e308, -1, [], {}, [[]], 'text'], random)),
  'an object with 50,000 keys': changeLeaf(() =>
    Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key${index}`, index])),
  ),
  'an array of 200,000 numbers': changeLeaf(() => Array.from({ length: 200_000 }, (_, index) => index)),
  'hostile keys': (json) =>
    answer(
      JSON.stringify(json).replaceAll(
        /^\{/g,
        `{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1,"hasOwnProperty":null,"${'k'.repeat(100_000)}":1,"\\u001b[31m":1,`,
      ),
    ),
  'every text replaced by hostile keys': changeAllKeys(),
  'nesting of 3,000 levels': (json) =>
    answer(`{"a":${'['.repeat(3_000)}${']'.repeat(3_000)},${JSON.stringify(json).slice(1)}`),
  'nesting of 90 levels': (json) => answer(`{"a":${'['.repeat(90)}${']'.repeat(90)},${JSON.stringify(json).slice(1)}`),
  '40 MB': (json) => answer(JSON.stringify(json) + ' '.repeat(40 * megabyte)),
  '30 MB of small values': (json) => answer(`{"a":[${'0,'.repeat(15 * megabyte)}0],${JSON.stringify(json).slice(1)}`),
  'a text of 7 MB': changeLeaf(() => 'x'.repeat(7 * megabyte)),
  'a text of 15 MB': changeLeaf(() => 'x'.repeat(15 * megabyte)),
  '20 MB in one text': (json) => answer(`{"a":"${'x'.repeat(20 * megabyte)}",${JSON.stringify(json).slice(1)}`),
  'a gzip bomb': () => answer(bomb, { 'content-encoding': 'gzip' }),
  'gzip that is none': (json) => answer(JSON.stringify(json), { 'content-encoding': 'gzip' }),
  'half of it': (json) => answer(JSON.stringify(json).slice(0, -10)),
  'bytes that are no UTF-8': (json) => {
    const bytes = Buffer.from(JSON.stringify(json));
    for (let at = 40; at < bytes.length; at += 97) bytes[at] = 0xff;
    return answer(bytes);
  },
  'UTF-16': (json) =>
    answer(Buffer.from(JSON.stringify(json), 'utf16le'), { 'content-type': 'application/json; charset=utf-16' }),
  nothing: () => answer(''),
  HTML: () => answer('<html>'.repeat(1_000), { 'content-type': 'text/html' }),
  'items a thousandfold': (json) => answer(JSON.stringify(multiply(json))),
  'a refusal with 1 MB of text': (_, random) =>
    answer(
      JSON.stringify({
        code: pick(slowForPatterns, random),
        message: 'x '.repeat(megabyte / 2),
        errors: slowForPatterns,
      }),
      {},
      400,
    ),
  'a fault with hostile words': () =>
    answer(
      JSON.stringify({
        status: 'error',
        category: controls,
        message: controls.repeat(1_000),
        context: { a: [controls] },
      }),
      {},
      422,
    ),
  'a redirect': () => answer('', { location: 'http://127.0.0.1:9/' }, 307),
};

export const askToWait: Mutation = () => answer('{}', { 'retry-after': '9'.repeat(300) }, 429);

const bomb = Buffer.concat(Array.from({ length: 20 }, () => gzipSync(Buffer.alloc(16 * megabyte, ' '))));

function answer(body: string | Uint8Array, headers: Record<string, string> = {}, status = 200): Answer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: bytes };
}

type Path = readonly (string | number)[];

/** Replaces one value, chosen at random among those that hold no others. */
function changeLeaf(toValue: (random: Random) => unknown): Mutation {
  return (json, random) => {
    const copy: unknown = structuredClone(json);
    const path = pick(leavesOf(copy), random);
    if (path === undefined) return answer(JSON.stringify(toValue(random)));
    let holder = copy as Record<string | number, unknown>;
    for (const key of path.slice(0, -1)) holder = holder[key] as Record<string | number, unknown>;
    holder[path.at(-1) ?? ''] = toValue(random);
    return answer(JSON.stringify(copy));
  };
}

function changeAllKeys(): Mutation {
  return (json) =>
    answer(
      JSON.stringify(json, (_, value: unknown) =>
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? { ...value, ['constructor']: controls, [controls]: 1, [' ']: null }
          : value,
      ),
    );
}

function leavesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return path.length === 0 ? [] : [path];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

/** Every list a thousand times as long, up to 100,000 items. */
function multiply(value: unknown): unknown {
  if (Array.isArray(value))
    return Array.from(
      { length: Math.min(value.length * 1_000, 100_000) },
      (_, index) => value[index % value.length] as unknown,
    );
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, Array.isArray(inner) ? multiply(inner) : inner]),
  );
}

function pick<T>(values: readonly T[], random: Random): T {
  return values[Math.floor(random() * values.length)] as T;
}
