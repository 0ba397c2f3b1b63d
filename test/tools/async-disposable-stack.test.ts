import path from 'node:path';

// What Node 22 gets in the package; held against what Node 24 has.
const file = path.join(__dirname, '../../tools/async-disposable-stack.mjs');

describe('AsyncDisposableStack of tools/', () => {
  const stacks = { own: () => import(file).then((module) => new module.AsyncDisposableStack()), ofNode: stackOfNode };

  it.each(Object.entries(stacks))('%s: disposes adopted and deferred resources, last one first', async (_, create) => {
    const calls: string[] = [];
    const stack = await create();
    expect(stack.adopt('first', async (name: string) => void calls.push(name))).toBe('first');
    stack.defer(() => void calls.push('second'));
    await stack[Symbol.asyncDispose]();
    await stack[Symbol.asyncDispose]();
    expect(calls).toEqual(['second', 'first']);
  });

  it.each(Object.entries(stacks))('%s: transfers all resources with move()', async (_, create) => {
    const closed: string[] = [];
    const stack = await create();
    stack.defer(() => void closed.push('first'));
    const moved = stack.move();
    await stack[Symbol.asyncDispose]();
    expect(closed).toEqual([]);
    await moved[Symbol.asyncDispose]();
    expect(closed).toEqual(['first']);
  });

  it.each(Object.entries(stacks))('%s: disposes every resource and reports all errors', async (_, create) => {
    const calls: string[] = [];
    const stack = await create();
    stack.defer(() => void calls.push('closed'));
    for (const message of ['later', 'earlier']) stack.defer(() => Promise.reject(new Error(message)));
    await expect(stack[Symbol.asyncDispose]()).rejects.toMatchObject({
      name: 'SuppressedError',
      error: { message: 'later' },
      suppressed: { message: 'earlier' },
    });
    expect(calls).toEqual(['closed']);
  });
});

function stackOfNode(): Promise<AsyncDisposableStack> {
  return Promise.resolve(new AsyncDisposableStack());
}
