import type { Portal } from './portal.ts';

/** What every route finds in `c.var` after authentication. */
export interface SandboxEnvironment {
  Variables: { portal: Portal; scopes: ReadonlySet<string> };
}
