import type { Portal } from './portal/portal.ts';
import type { ApiVersion } from './api-versions.ts';

/** What every route finds in `c.var` after authentication. */
export interface SandboxEnvironment {
  Variables: {
    /** As the version of the path sees it. */
    portal: Portal;
    version: ApiVersion;
    scopes: ReadonlySet<string>;
  };
}
