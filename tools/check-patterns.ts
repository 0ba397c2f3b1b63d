/**
 * Fails when a regular expression of the program can take more than linear time: `node tools/check-patterns.ts [FOLDER]`.
 * Every literal below src, sandbox, conformance, activities, workflows and tools is examined by recheck, in JavaScript alone; one that could not be
 * examined in time fails as well. A pattern that is put together at run time cannot be examined, and fails.
 */
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import ts from 'typescript';
import { z } from 'zod';

const folders = [
  'src/**/*.ts',
  'sandbox/**/*.ts',
  'conformance/**/*.ts',
  'activities/**/*.ts',
  'workflows/**/*.ts',
  'tools/**/*.{ts,mjs}',
];
/** Limit for one literal; every literal of this repository takes less than a tenth of it, also on a busy machine. */
const longestMilliseconds = 120_000;
/**
 * For patterns with look-around, which recheck's exact method does not support. Limited by work instead of time, so that
 * the result does not depend on the load of the machine.
 */
const fuzzing = {
  maxInitialGenerationSize: 200,
  maxGenerationSize: 50,
  maxIteration: 5,
  incubationTimeout: null,
  attackTimeout: null,
  attackLimit: 15_000_000,
};

const patternSchema = z.object({ source: z.string(), flags: z.string(), places: z.array(z.string()) });
type Pattern = z.infer<typeof patternSchema>;

if (isMainThread) await examineAll(path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..')));
else parentPort?.postMessage(await examine(z.array(patternSchema).parse(workerData)), []);

async function examineAll(root: string): Promise<void> {
  const { patterns, unexaminable } = readPatterns(root);
  const threads = Math.min(availableParallelism(), patterns.length);
  const shares = Array.from({ length: threads }, (_, thread) =>
    patterns.filter((_, index) => index % threads === thread),
  );
  const faults = [...unexaminable, ...(await Promise.all(shares.map(examineInThread))).flat()];
  for (const fault of faults) console.error(fault);
  console.log(`${patterns.length} patterns examined, ${faults.length} at fault`);
  if (faults.length > 0) process.exitCode = 1;
}

function examineInThread(share: readonly Pattern[]): Promise<string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<string[]>();
  // recheck reads this variable when the package is loaded.
  const env = { ...process.env, RECHECK_BACKEND: 'pure' };
  const worker = new Worker(import.meta.filename, { workerData: share, env });
  worker.once('message', (faults) => resolve(z.array(z.string()).parse(faults)));
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('a thread ended without an answer')));
  return promise;
}

async function examine(patterns: readonly Pattern[]): Promise<string[]> {
  const { check } = await import('recheck');
  const faults: string[] = [];
  for (const { source, flags, places } of patterns) {
    const found = await check(source, flags, { timeout: longestMilliseconds, ...fuzzing });
    if (found.status === 'safe') continue;
    const what =
      found.status === 'vulnerable'
        ? `${found.complexity.summary}, attacked by ${found.attack.pattern}`
        : `not examined (${found.error.kind})`;
    faults.push(`${places.join(', ')}: /${source}/${flags}: ${what}`);
  }
  return faults;
}

function readPatterns(root: string): { patterns: Pattern[]; unexaminable: string[] } {
  const byText = new Map<string, Pattern>();
  const unexaminable: string[] = [];
  for (const file of globSync(folders, { cwd: root }).toSorted()) {
    const source = ts.createSourceFile(file, readFileSync(path.join(root, file), 'utf8'), ts.ScriptTarget.Latest);
    const visit = (node: ts.Node): void => {
      const place = () => `${file}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`;
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        const known = byText.get(node.text);
        const pattern = { source: node.text.slice(1, end), flags: node.text.slice(end + 1), places: [] };
        byText.set(node.text, { ...pattern, places: [...(known?.places ?? []), place()] });
      } else if (isConstructed(node)) {
        unexaminable.push(`${place()}: new RegExp cannot be examined. Write a literal`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { patterns: [...byText.values()], unexaminable };
}

function isConstructed(node: ts.Node): boolean {
  const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
  return isCall && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp';
}
