import { z } from 'zod';
import { idSchema } from '../request-bodies.ts';

const record = z.object({ id: idSchema });

export const linkDefaultSchema = z.object({ inputs: z.array(z.object({ from: record, to: record })) });

/** Also of archiving labels. */
export const linkSchema = z.object({
  inputs: z.array(
    z.object({
      from: record,
      to: record,
      types: z
        .array(z.object({ associationCategory: z.literal('HUBSPOT_DEFINED'), associationTypeId: z.number() }))
        .min(1)
        .transform((types) => types.map(({ associationTypeId }) => associationTypeId)),
    }),
  ),
});

export const unlinkSchema = z.object({ inputs: z.array(z.object({ from: record, to: z.array(record) })) });

export const readSchema = z.object({ inputs: z.array(z.object({ id: idSchema, after: z.string().optional() })) });
