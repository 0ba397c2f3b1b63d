import { createDemoProject } from './demo-project.ts';
import { serveSandbox, type ServedSandbox } from '../sandbox/serve.ts';
import type { ServeOptions } from '../sandbox/serve.ts';
import { CommandError, type Terminal } from './terminal.ts';

export interface SandboxOptions extends ServeOptions {
  /** Folder that gets an example project for these stand-ins. */
  readonly example?: string;
}

/** Serves both stand-ins until it is told to stop; one JSON line on stdout says where. */
export async function sandbox(terminal: Terminal, { example, ...options }: SandboxOptions): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const served = cleanup.adopt(await serve(options), (opened) => opened.close());
  if (example !== undefined) {
    const { config, env } = await createDemoProject(example, served, options.seed ?? 1);
    terminal.say(`Example project: ${config}. In another terminal:`);
    for (const [name, value] of Object.entries(env)) terminal.say(`  export ${name}=${value}`);
  }
  const { service, hubspot, control } = served;
  terminal.print(JSON.stringify({ service, hubspot, control }));
  await terminal.interrupted;
}

async function serve(options: ServeOptions): Promise<ServedSandbox> {
  try {
    return await serveSandbox(options);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new CommandError(`the stand-ins cannot be served: ${error.message}. Port 0 takes a free one`);
  }
}
