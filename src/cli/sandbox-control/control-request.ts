/** Requests to the control plane of a running sandbox. */
import { createControlClient, type ControlClient } from '../../../sandbox/control/control-client.ts';
import { CommandError, exitCodes } from '../terminal.ts';

export interface ControlFlags {
  /** Of the control plane. */
  readonly controlUrl: string;
}

interface Answered<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** Sends one request. Throws a CommandError when the control plane does not answer or refuses. */
export async function requestControl<T>(
  { controlUrl }: ControlFlags,
  request: (control: ControlClient) => Promise<Answered<T>>,
): Promise<T> {
  if (!URL.canParse(controlUrl)) {
    throw new CommandError(`--control-url ${controlUrl}: not a URL such as http://127.0.0.1:4030`, exitCodes.usage);
  }
  const { data, error, response } = await request(createControlClient({ baseUrl: controlUrl })).catch(
    (failed: unknown) => {
      if (!(failed instanceof TypeError)) throw failed;
      throw new CommandError(
        `the sandbox does not answer at ${controlUrl}. Start it with npx prospect-sync sandbox, or name its control plane with --control-url`,
      );
    },
  );
  if (response.ok && data !== undefined) return data;
  if (isServiceRefusal(error)) {
    throw new CommandError(
      `${controlUrl} is the sandbox service, not its control plane. Use the "control" URL that the sandbox printed`,
    );
  }
  throw new CommandError(`the sandbox refused: ${refusalText(error) ?? `status ${response.status}`}`);
}

/** Only refusals of the service have a resource type. */
function isServiceRefusal(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'resource_type' in error;
}

function refusalText(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('message' in error)) return null;
  const problems = 'problems' in error && Array.isArray(error.problems) ? ` ${error.problems.join('; ')}` : '';
  return `${String(error.message)}${problems}`;
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without the flags that are undefined. */
export function onlyGiven<T extends object>(flags: T): Given<T> {
  const given: Given<T> = {};
  for (const key in flags) {
    const value = flags[key];
    if (value !== undefined) Object.assign(given, { [key]: value });
  }
  return given;
}

/** Aligned columns; the last one is not padded. */
export function toColumns(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (most, row) => row.map((cell, place) => Math.max(most[place] ?? 0, cell.length)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, place) => cell.padEnd(widths[place] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
