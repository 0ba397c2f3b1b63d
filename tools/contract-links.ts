/** What docs/service-coverage.md derives from the code: routes of the sandbox, functions of the client, and fields of the contract. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { operations } from '../src/service/contract/index.ts';
import { forbiddenSchema, unauthorizedSchema } from '../src/service/contract/errors.ts';
import type { Operation } from '../src/service/contract/operation.ts';
import { replyWebhookSchema } from '../src/service/contract/reply.ts';

export const operationTable: Readonly<Record<string, Operation>> = operations;
const operationNames = Object.keys(operationTable);

/** An object of a request or an answer. Objects with the same fields are one. */
export interface ContractObject {
  /** Where it occurs, for example `createOrder body.companies[]`, or `404` for the body of an error. */
  readonly places: readonly string[];
  /** By name; the assumption of a field that the specification does not name, else null. */
  readonly fields: ReadonlyMap<string, string | null>;
  /** The assumption of the whole object, else null. */
  readonly assumed: string | null;
}

/** In the order of the contract. */
export function listContractObjects(): ContractObject[] {
  const found = new Map<string, Omit<ContractObject, 'places'> & { readonly places: Set<string> }>();
  const add = (place: string, fields: ContractObject['fields'], assumed: string | null = null) => {
    const key = [...fields.keys()].toSorted().join(' ');
    const first = found.get(key) ?? { places: new Set(), fields, assumed };
    first.places.add(place);
    found.set(key, first);
  };
  const visit = (place: string, schema: unknown): void => {
    if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
      visit(place, schema.unwrap());
    else if (schema instanceof z.ZodArray) visit(`${place}[]`, schema.element);
    else if (schema instanceof z.ZodUnion) schema.options.forEach((option) => visit(place, option));
    else if (schema instanceof z.ZodObject) {
      const fields = Object.entries(schema.shape);
      if (fields.length > 0)
        add(place, new Map(fields.map(([name, field]) => [name, assumptionOf(field)])), assumptionOf(schema));
      for (const [name, field] of fields) visit(/^\d+$/.test(place) ? place : `${place}.${name}`, field);
    }
  };
  for (const [name, { params, query, body, responses, idempotency }] of Object.entries(operationTable)) {
    visit(`${name} path`, params);
    if (idempotency !== 'none') add(`${name} header`, new Map([['Idempotency-Key', null]]));
    visit(`${name} query`, query);
    visit(`${name} body`, body);
    for (const [status, schema] of Object.entries(responses))
      visit(Number(status) < 300 ? `${name} answer` : status, schema);
  }
  visit('401', unauthorizedSchema);
  visit('403', forbiddenSchema);
  visit('reply webhook', replyWebhookSchema);
  return [...found.values()].map(({ places, ...object }) => ({ ...object, places: [...places] }));
}

function assumptionOf(field: unknown): string | null {
  const id = field instanceof z.ZodType ? field.meta()?.['x-assumed'] : undefined;
  return typeof id === 'string' ? id : null;
}

/** The file of the sandbox that answers each operation. @throws where an operation has no route */
export function findSandboxRoutes(): Record<string, string> {
  const sources = readSources('sandbox/service/*.ts');
  return Object.fromEntries(
    operationNames.map((name) => {
      const found = sources.find(({ text }) => text.replaceAll(/\s/g, '').includes(`route(operations.${name},`));
      if (found === undefined) throw new Error(`${name}: no file of sandbox/service/ has a route for the operation`);
      return [name, found.file];
    }),
  );
}

/** The functions of createProspectingClient that send each operation, for example `orders.place`. */
export function findClientFunctions(): ReadonlyMap<string, string> {
  const sources = readSources('src/service/client/*-client.ts');
  const groups = new Map(
    sources.flatMap(({ text }) =>
      [...text.matchAll(/^ {4}(\w+): create(\w+)Client\(/gm)].map(([, group = '', factory = '']) => [factory, group]),
    ),
  );
  return new Map(
    sources.flatMap(({ text }) => {
      const routes = new Map(
        [...text.matchAll(/^const (\w+) = '(\/api\/[^']+)';/gm)].map(([, a = '', b = '']) => [a, b]),
      );
      return text.split(/^(?:export )?function create(?=\w+Client\()/m).flatMap((factory) => {
        const group = groups.get(/^(\w+)Client\(/.exec(factory)?.[1] ?? '');
        return factory.split(/\n {4}(?=(?:async )?\*?\w+\()/).flatMap((member): [string, string][] => {
          const name = /^(?:async )?\*?(\w+)\(/.exec(member)?.[1];
          const [, method = 'GET', constant = '', literal = ''] =
            /api\.([A-Z]+)\((\w+)|downloadFile\(settings, `([^`]+)`/.exec(member) ?? [];
          const operation = findOperation(method, routes.get(constant) ?? literal);
          return group === undefined || operation === undefined ? [] : [[`${group}.${name}`, operation]];
        });
      });
    }),
  );
}

function findOperation(method: string, route: string): string | undefined {
  const toPattern = (text: string) => text.replaceAll(/\$?\{[^{}]*\}/g, '{}');
  const found = Object.entries(operationTable).find(
    ([, operation]) => operation.method.toUpperCase() === method && toPattern(operation.path) === toPattern(route),
  );
  return found?.[0];
}

function readSources(pattern: string): { readonly file: string; readonly text: string }[] {
  const root = path.join(import.meta.dirname, '..');
  return globSync(pattern, { cwd: root })
    .toSorted()
    .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));
}
