/** Stand-ins that run elsewhere are told through their control plane. */
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

/** One request; a clear end when it was refused or when nobody is there. */
export async function ask<T>(
  { controlUrl }: ControlFlags,
  request: (control: ControlClient) => Promise<Answered<T>>,
): Promise<T> {
  if (!URL.canParse(controlUrl)) {
    throw new CommandError(
      `--control-url ${controlUrl}: it is no address such as http://127.0.0.1:4030`,
      exitCodes.usage,
    );
  }
  const { data, error, response } = await request(createControlClient({ baseUrl: controlUrl })).catch(
    (failed: unknown) => {
      if (!(failed instanceof TypeError)) throw failed;
      throw new CommandError(
        `no stand-in answers at ${controlUrl}: start one with npx prospect-sync sandbox, or name it with --control-url`,
      );
    },
  );
  if (response.ok && data !== undefined) return data;
  if (isOfTheService(error)) {
    throw new CommandError(
      `${controlUrl} is the service, not the control plane: see "control" in the line that it printed`,
    );
  }
  throw new CommandError(`the stand-in refused: ${refusalText(error) ?? `status ${response.status}`}`);
}

/** The service names what it does not know; its control plane never does. */
function isOfTheService(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'resource_type' in error;
}

function refusalText(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('message' in error)) return null;
  const problems = 'problems' in error && Array.isArray(error.problems) ? ` ${error.problems.join('; ')}` : '';
  return `${String(error.message)}${problems}`;
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without what was not said. */
export function onlyGiven<T extends object>(flags: T): Given<T> {
  const given: Given<T> = {};
  for (const key in flags) {
    const value = flags[key];
    if (value !== undefined) Object.assign(given, { [key]: value });
  }
  return given;
}

/** Cells in columns that line up; the last one is as long as it is. */
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
