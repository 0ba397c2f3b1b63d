/** Kinds of values that several settings share: names, file paths, lifecycle stages, and the addresses of systems. */
import type { Environment } from '../base/host/environment-variables.ts';
import { z } from 'zod';
import { isPlainHttpElsewhere } from '../base/http/foreign-requests.ts';
import { trimEndOf } from '../base/text/normalize-text.ts';
import { checkVariable, valueOf, fromEnvironment, type EnvironmentReference } from './environment.ts';
import { problemAt, type PathProblem } from './problems.ts';
import { getOwnProperty } from '../base/json/own-property.ts';
import { checkPart, childOf } from './partial-validation.ts';

export const name = z
  .string()
  .max(60)
  .regex(/^[a-z0-9-]+$/, 'a name consists of a-z, 0-9 and -');
export const filePath = z
  .string()
  .min(1)
  .refine(
    (path) => !/^~(?:[/\\]|$)/.test(path),
    'must not begin with ~, which only a shell replaces; write the whole path',
  )
  .refine(
    (path) => process.platform === 'win32' || !/\\|^[A-Za-z]:/.test(path),
    'must be a path of this system: backslashes and drive letters are those of Windows; write it with /',
  );
/** Name of the folder of the ledger and the local Temporal, beside the configuration file. */
export const dataFolderName = '.prospect-sync';

/** Files that people open, copy and delete do not belong among those of the ledger. */
export const outputFolder = filePath.refine(
  (path) => !path.split(/[/\\]/).includes(dataFolderName),
  `must not be in ${dataFolderName}, the folder of the ledger; write another one, such as out`,
);
/** A text of spaces is a mistake: HubSpot and the service show nothing. */
export const filledText = z
  .string()
  .min(1)
  .regex(/^(?!\s+$)/, 'must not be blank');
export const flag = z.boolean();
/** Of all settings in percent that are numbers: the sign is no part of them. */
export const percent = (least: number, most: number) =>
  z
    .number({
      error: ({ input }) =>
        typeof input === 'string' && /^\d+(?:\.\d+)? ?%$/.test(input)
          ? `must be a number of percent without the sign; write ${Number.parseFloat(input)}`
          : undefined,
    })
    .min(least)
    .max(most);
const listRule = 'must be the id of a HubSpot list, a whole number';
export const hubspotListId = z
  .union([z.string().regex(/^\d+$/, listRule), z.int().min(1)], { error: listRule })
  .transform(String);
export const companyProperty = z
  .string()
  .regex(/^[a-z][a-z0-9_]*$/, 'must be the internal name of a company property: a-z, 0-9 and _');
export const lifecycleStages = z
  .array(z.string().min(1))
  .min(1)
  .describe('Internal names of lifecycle stages, for example [customer, opportunity]; case matters');

/** RFC 9110: a token. */
export const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'must be the name of an HTTP header')
  .regex(/^[^_]*$/, 'must be a name without _, since nginx and others drop such headers: use - in its place');

/** fetch rejects an address with a password, and its error message contains the whole address. */
export const httpAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine((text) => !/^[^/]*\/\/[^/]*@/.test(text), 'must not hold a user name or password')
  .refine(
    (text) => !/[?#]/.test(text),
    'must not hold a query (?) or a fragment (#), because every request adds its path',
  );
export const address = z.union([httpAddress, fromEnvironment], {
  error: 'must be an http or https address or {env: NAME}',
});

export const allowHttp = z
  .boolean()
  .default(false)
  .describe('Allow plain http to another machine; use it only on a trusted network');

const addressVariable = {
  pattern: /^https?:\/\/[^\s/@?#]+(?:\/[^\s@?#]*)?$/,
  rule: 'must hold an http or https address without a password, a query (?) and a fragment (#)',
};

const addressPart = z.object({ base_url: address.optional(), allow_http: allowHttp.catch(false) });

/** Checks `base_url` of a section: its variable, and that plain http to another machine is allowed. */
export function checkAddress(section: 'service' | 'hubspot', settings: unknown, env: Environment): PathProblem[] {
  const path = [section, 'base_url'];
  return [
    ...checkVariable([...path, 'env'], childOf(settings, 'base_url'), addressVariable, env),
    ...checkPart(addressPart, settings, ({ base_url: value, allow_http: isAllowed }) => {
      const name = typeof value === 'object' ? value.env : null;
      const url = URL.parse(typeof value === 'object' ? (getOwnProperty(env, value.env) ?? '') : (value ?? ''));
      if (isAllowed || url === null || !isPlainHttpElsewhere(url)) return [];
      // The value of a variable is never printed.
      const subject = name === null ? '' : `environment variable ${name} `;
      return [
        problemAt(
          name === null ? path : [...path, 'env'],
          `${subject}must be https: plain http to another machine exposes the key and the data on the network`,
          `Write https://, or set ${section}.allow_http: true if you trust the network in between`,
        ),
      ];
    }),
  ];
}

/** Removes a slash at the end. */
export function toBaseUrl(value: string | EnvironmentReference, env: Environment): string {
  return trimEndOf(typeof value === 'string' ? value : valueOf(value, env), '/');
}
