/** Actions in progress, and the newest that have ended. They are kept in memory; the list of who did what is in the ledger. */
import { createHash, randomUUID } from 'node:crypto';
import type { Ledger } from '../ledger/ledger.ts';
import type { ConsoleWork } from './console-work.ts';

/** Commands by the name of their action; `subject`: what follows the words of the command. */
const commands = {
  approve: ['exclusions', 'approve'],
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
  readonly level: 'info' | 'warn' | 'error' | 'debug';
}

export interface Job extends Action {
  readonly id: string;
  readonly lines: readonly Line[];
  /** `asks`: the command has asked `question`, and has changed nothing. */
  readonly state: 'working' | 'asks' | 'ended';
  readonly question: string | null;
  /** What the person has agreed to so far, and would agree to now. */
  readonly agreed: readonly string[];
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

export function createActionJobs(audit: Ledger['consoleAudit'], work: ConsoleWork, now = () => new Date()) {
  const jobs = new Map<string, Job>();
  const waiting = new Set<() => void>();
  const change = (id: string, changes: Partial<Job>) => {
    const job = jobs.get(id);
    if (job !== undefined) jobs.set(id, { ...job, ...changes });
    for (const wake of waiting) wake();
    waiting.clear();
  };

  /** A question is bound to all that was said before it: when the state has changed since, the command asks again. */
  const converse = (id: string, agreed: readonly string[]) => {
    const lines: Line[] = [];
    const add = (line: Line) => {
      if (lines.length < linesKept) change(id, { lines: [...lines, line] });
      lines.push(line);
    };
    return {
      say: (text: string, level: Line['level']) => add({ text, level }),
      print: (text: string) => add({ text, level: 'info' }),
      confirm(question: string): boolean {
        const digest = createHash('sha256')
          .update(JSON.stringify([lines, question]))
          .digest('hex');
        if (agreed.includes(digest)) return true;
        change(id, { state: 'asks', question, agreed: [...agreed, digest] });
        return false;
      },
    };
  };

  async function execute({ id, name, subject, note, agreed }: Job): Promise<void> {
    const args = [...commands[name], ...(subject === '' ? [] : ['--', subject])];
    // The options of a command come before the end of its options.
    const withNote = note === undefined || note === '' ? args : [...commands[name], '--note', note, '--', subject];
    const code = await work.run(withNote, converse(id, agreed));
    await audit.end(id, { code, at: now().toISOString() });
    const asks = jobs.get(id)?.state === 'asks';
    change(id, { code, ...(asks ? {} : { state: 'ended' }) });
  }

  return {
    /** Starts a command, and returns at once. `agreed`: what the person has agreed to. */
    async start(action: Action, agreed: readonly string[]): Promise<Job> {
      const id = randomUUID();
      const job: Job = { ...action, id, agreed, lines: [], state: 'working', question: null, code: null };
      const [oldest] = jobs.keys();
      if (jobs.size >= jobsKept && oldest !== undefined) jobs.delete(oldest);
      jobs.set(id, job);
      const { who } = work;
      await audit.start({ id, at: now().toISOString(), who, command: toCommandText(action) });
      void execute(job);
      return job;
    },

    get: (id: string) => jobs.get(id),

    /** Settles at the next change of any job. */
    changed: (): Promise<void> => new Promise((resolve) => void waiting.add(resolve)),
  };
}
