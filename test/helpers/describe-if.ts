import { appendFileSync } from 'node:fs';

/** What a group of tests needs of the machine, and the Debian package that brings it. */
export interface Requirement {
  readonly needs: string;
  readonly debianPackage?: string;
}

/** `describe` where the requirement is met, else `describe.skip` with the reason. The last lines of `npm test` count what was skipped. */
export function describeIf(isMet: boolean, requirement: Requirement): jest.Describe {
  if (isMet) return describe;
  const { needs, debianPackage } = requirement;
  const remedy = debianPackage === undefined ? '' : ` (apt-get install ${debianPackage})`;
  process.stderr.write(`skipped: ${needs} is needed${remedy}\n`);
  const list = process.env['PROSPECT_SYNC_SKIPPED'];
  if (list !== undefined) appendFileSync(list, `${JSON.stringify(requirement)}\n`);
  return describe.skip;
}

export const needsPostgres: Requirement = { needs: 'PostgreSQL (initdb, postgres)', debianPackage: 'postgresql' };
export const needsPsql: Requirement = { needs: 'PostgreSQL with psql', debianPackage: 'postgresql' };
export const needsBrowser: Requirement = { needs: 'Chromium', debianPackage: 'chromium' };
export const needsNginx: Requirement = { needs: 'nginx', debianPackage: 'nginx-light' };
export const needsPseudoTerminal: Requirement = { needs: 'script of util-linux', debianPackage: 'bsdutils' };
export const needsRoot: Requirement = { needs: 'root, who can give files to other users' };
