/** Actions in progress, and the newest that have ended. They are kept in memory; the list of who did what is in the ledger. */
import { createHash, randomUUID } from 'node:crypto';
import { errorName } from '../base/failures/error-name.ts';
import type { LogLevel } from '../base/logs.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ConsoleWork } from './console-work.ts';

/** Commands by the name of their action; `subject`: what follows the words of the command. */
const commands = {
  approve: ['exclusions', 'approve'],
  difference: ['exclusions', 'preview'],
  sync: ['exclusions', 'sync'],
  ingest: ['ingest'],
  reconcile: ['reconcile'],
  repair: ['reconcile', '--repair'],
  retry: ['retry'],
  preview: ['preview'],
  replay: ['replies', 'replay'],
  trigger: ['schedule', 'trigger'],
  pause: ['schedule', 'pause'],
  resume: ['schedule', 'resume'],
  plan: ['plan'],
  apply: ['apply'],
  doctor: ['doctor'],
} as const;
export type ActionName = keyof typeof commands;

/** `subject`: an id or a name; empty for actions without one. `note`: why, of a pause. */
export interface Action {
  readonly name: ActionName;
  readonly subject: string;
  readonly note?: string;
}

export interface Line {
  readonly text: string;
  readonly level: LogLevel;
}

export interface Job extends Action {
  readonly id: string;
  readonly lines: readonly Line[];
  /** `asks`: the command has asked `question`, and has changed nothing. */
  readonly state: 'working' | 'asks' | 'ended';
  readonly question: string | null;
  /** Digests of what the person has agreed to, and, when it asks, of what a yes would agree to. */
  readonly agreed: readonly string[];
  /** The job that a yes has started; a second yes starts nothing. */
  readonly answeredBy: string | null;
  readonly code: number | null;
}

const jobsKept = 100;
/** Lines of one job; a command that says more is better read in a terminal. */
const linesKept = 500;

export function isActionName(name: string): name is ActionName {
  return Object.hasOwn(commands, name);
}

/** The command as a user would type it. */
export function toCommandText({ name, subject }: Pick<Action, 'name' | 'subject'>): string {
  return ['prospect-sync', ...commands[name], subject].filter((word) => word !== '').join(' ');
}

export type ActionJobs = ReturnType<typeof createActionJobs>;

export function createActionJobs(
  audit: Ledger['consoleAudit'],
  work: Pick<ConsoleWork, 'run'>,
  now = () => new Date(),
) {
  const jobs = new Map<string, Job>();
  const waiting = new Set<() => void>();
  const change = (id: string, changes: Partial<Job>) => {
    const job = jobs.get(id);
    if (job !== undefined) jobs.set(id, { ...job, ...changes });
    for (const wake of waiting) wake();
    waiting.clear();
  };

  /** A question is bound to all that was said before it: when the state has changed since, the command asks again, and says so. */
  const converse = (id: string, agreed: readonly string[]) => {
    const lines: Line[] = [];
    let answered: string | undefined;
    const add = (line: Line) => {
      if (lines.length < linesKept) change(id, { lines: [...lines, line] });
      lines.push(line);
    };
    return {
      say: (text: string, level: LogLevel) => add({ text, level }),
      print: (text: string) => add({ text, level: 'info' }),
      confirm(question: string): boolean {
        const digest = createHash('sha256')
          .update(JSON.stringify([lines, question]))
          .digest('hex');
        if (agreed.includes(digest)) {
          answered = digest;
          return true;
        }
        // After an answer that counts, this is the next question of the command.
        const why =
          agreed.at(-1) === answered ? '' : 'The question, or what is said above it, has changed since the answer. ';
        change(id, { state: 'asks', question: `${why}${question}`, agreed: [...agreed, digest] });
        return false;
      },
    };
  };

  async function execute({ id, name, subject, note, agreed }: Job): Promise<void> {
    const options = note === undefined ? [] : [`--note=${note}`];
    // Behind the end of the options, so that no subject is one.
    const args = [...commands[name], ...options, ...(subject === '' ? [] : ['--', subject])];
    const code = await work.run(args, converse(id, agreed));
    const asks = jobs.get(id)?.state === 'asks';
    await audit.end(id, { code: asks ? null : code, at: now().toISOString() });
    change(id, { code, ...(asks ? {} : { state: 'ended' }) });
  }

  /** `agreed`: what the person `who` has agreed to. */
  async function start(action: Action, who: string, { id, agreed }: Pick<Job, 'id' | 'agreed'>): Promise<void> {
    const fresh = { lines: [], state: 'working', question: null, answeredBy: null, code: null } as const;
    const job: Job = { ...action, ...fresh, id, agreed };
    const [oldest] = jobs.keys();
    if (jobs.size >= jobsKept && oldest !== undefined) jobs.delete(oldest);
    jobs.set(id, job);
    await audit.start({ id, at: now().toISOString(), who, command: toCommandText(action) });
    void execute(job).catch((error: unknown) => {
      const text = `The command ended unexpectedly: ${errorName(error)}`;
      change(id, { state: 'ended', code: 1, lines: [...(jobs.get(id)?.lines ?? []), { text, level: 'error' }] });
    });
  }

  return {
    /** Starts a command. @returns the id of its job, at once */
    async start(action: Action, who: string): Promise<string> {
      const id = randomUUID();
      await start(action, who, { id, agreed: [] });
      return id;
    },

    /** Answers yes: the command runs again, and continues if its texts and its question are the same. @returns the id of the new job; null for an unknown one */
    async agree(askingId: string, who: string): Promise<string | null> {
      const asking = jobs.get(askingId);
      if (asking === undefined || asking.state !== 'asks') return null;
      if (asking.answeredBy !== null) return asking.answeredBy;
      const id = randomUUID();
      // Before anything is awaited, so that of two answers at once only one starts the command.
      change(askingId, { answeredBy: id });
      await start(asking, who, { id, agreed: asking.agreed });
      return id;
    },

    get: (id: string) => jobs.get(id),

    /** Settles at the next change of any job. */
    changed: (): Promise<void> => new Promise((resolve) => void waiting.add(resolve)),
  };
}
