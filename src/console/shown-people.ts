/** Masks people in the pages until a user asks for them; the list of actions keeps the user. */
import { randomUUID } from 'node:crypto';
import type { Hono } from 'hono';
import type { ConsoleConfig } from '../config/console-settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { foreignPath } from './fixed-pages.ts';
import type { Page } from './layout.ts';

/** `until`: ISO 8601. */
export type PeopleView = 'always' | 'masked' | { readonly until: string };

const shownMs = 15 * 60_000;
/** It is kept, and redirected to: without dots, colons and a second slash it is neither an address of another host nor a text. */
const consolePath = /^\/(?!\/)[\w/-]{0,200}$/;

interface PeopleContext {
  readonly audit: Ledger['consoleAudit'];
  readonly personalData: ConsoleConfig['personalData'];
  readonly now: () => Date;
}

export function createShownPeople({ audit, personalData, now }: PeopleContext) {
  /** When the people end to be shown, in milliseconds, by user. After a restart they are masked. */
  const ends = new Map<string, number>();
  return {
    viewOf(user: string): PeopleView {
      if (personalData === 'shown') return 'always';
      const end = ends.get(user) ?? 0;
      return now().getTime() < end ? { until: new Date(end).toISOString() } : 'masked';
    },

    /** Listed before anything is shown. */
    async show(user: string, page: string): Promise<void> {
      const at = now();
      await audit.reveal({ id: randomUUID(), at: at.toISOString(), who: user, page });
      ends.set(user, at.getTime() + shownMs);
    },

    hide: (user: string) => void ends.delete(user),
  };
}

interface PeopleRoutes {
  readonly shownPeople: ReturnType<typeof createShownPeople>;
  readonly answer: (page: Page) => Promise<Response>;
  readonly user: string;
  readonly root: string;
}

/** The forms of `respond`. Their tokens are checked before. */
export function addPeopleForms(app: Hono, { shownPeople, answer, user, root }: PeopleRoutes): void {
  for (const form of ['/show', '/hide'])
    app.post(form, async (context) => {
      const { path } = await context.req.parseBody();
      if (typeof path !== 'string' || !consolePath.test(path)) return answer(foreignPath);
      if (form === '/show') await shownPeople.show(user, path);
      else shownPeople.hide(user);
      // A search stands in the address only, so that no masked page repeats it.
      const from = URL.parse(context.req.header('referer') ?? '');
      const query = from?.pathname === `${root}${path}` ? from.search : '';
      return context.redirect(`${root}${path}${query}`, 303);
    });
}
