import { z } from 'zod';
import { idSchema } from '../request-bodies.ts';
import type { AssociationType } from '../built-in/association-types.ts';

const record = z.object({ id: idSchema });

/** A link that is written together with a new record. */
export const inlineAssociationSchema = z.object({
  to: z.object({ id: idSchema }),
  types: z.array(z.object({ associationCategory: z.string(), associationTypeId: z.number() })),
});
export type InlineAssociation = z.infer<typeof inlineAssociationSchema>;

export const linkDefaultSchema = z.object({ inputs: z.array(z.object({ from: record, to: record })) });

/** Body of labelling one link. */
export const linkTypesSchema = z
  .array(
    z.object({
      associationCategory: z.enum(['HUBSPOT_DEFINED', 'USER_DEFINED', 'INTEGRATOR_DEFINED']),
      associationTypeId: z.number(),
    }),
  )
  .min(1)
  .transform((types) => types.map(toLinkType));

/** Body of creating links with labels, and of removing labels. */
export const linkSchema = z.object({
  inputs: z.array(z.object({ from: record, to: record, types: linkTypesSchema })),
});

export const unlinkSchema = z.object({ inputs: z.array(z.object({ from: record, to: z.array(record) })) });

export const readSchema = z.object({ inputs: z.array(z.object({ id: idSchema, after: z.string().optional() })) });

export const labelSchema = z.object({
  label: z.string().min(1),
  name: z.string().regex(/^[^\d-][^-]*$/, 'cannot include hyphens or begin with a numeric character'),
  inverseLabel: z.string().min(1).optional(),
});

/** An association type as request bodies name it. */
export function toLinkType(type: { associationCategory: string; associationTypeId: number }): AssociationType {
  return { category: type.associationCategory, typeId: type.associationTypeId };
}
