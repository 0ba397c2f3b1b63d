/** Whether an answer is what the contract owes, and if not why. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { describeViolation, toStrict, violations } from '../../src/contract/index.ts';

type DifferencesOf = (body: unknown) => string[];

const known = new WeakMap<z.ZodType, DifferencesOf>();

/** The differences between a body and a schema, read as a server has to keep it; compiled once a schema, when first asked. */
export function differencesFrom(schema: z.ZodType): DifferencesOf {
  const differences = known.get(schema) ?? compile(schema);
  known.set(schema, differences);
  return differences;
}

/**
 * Ajv says that nothing is wrong in a third of the time that zod needs, which tells what is. Patterns stand beside the
 * formats in the schemas, so formats are left out.
 */
function compile(schema: z.ZodType): DifferencesOf {
  const strict = toStrict(schema);
  let isSound: ((body: unknown) => boolean) | undefined;
  return (body) => {
    isSound ??= new Ajv2020({ strict: false, validateFormats: false }).compile(z.toJSONSchema(strict, { io: 'input' }));
    return isSound(body) ? [] : violations(strict, body).map(describeViolation);
  };
}
