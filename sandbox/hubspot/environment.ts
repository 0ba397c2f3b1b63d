import type { Portal } from './portal.ts';
import type { ApiVersion } from './versions.ts';

/** What every route finds in `c.var` after authentication. */
export interface SandboxEnvironment {
  Variables: {
    /** As the version of the path sees it. */
    portal: Portal;
    version: ApiVersion;
    scopes: ReadonlySet<string>;
  };
}
