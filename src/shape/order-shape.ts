/** The detected shape of the results of one order, with the counts that decide whether they can be used. */
import { z } from 'zod';
import { shapeSchema } from './shape.ts';

const count = z.int().min(0);

export const orderShapeSchema = z.object({
  shape: shapeSchema,
  counts: z.object({
    /** ENRICHED slots with a company. */
    enriched: count,
    /** Of those, how many have an identity: a domain, a website or an id. */
    identified: count,
    named: count,
    /** Of those, how many have prospects. */
    withPeople: count,
    /** Prospects of ENRICHED slots; how many have an email address, and a name. */
    people: count,
    withEmail: count,
    withName: count,
  }),
  /** Number of values that cannot be used, by field. */
  unusable: z.record(z.string(), count),
  /** Fields that this program does not read, with the number of slots that carry them. */
  unread: z.record(z.string(), count),
});
export type OrderShape = z.infer<typeof orderShapeSchema>;
export type ShapeCounts = OrderShape['counts'];

export const nothingCounted: ShapeCounts = {
  enriched: 0,
  identified: 0,
  named: 0,
  withPeople: 0,
  people: 0,
  withEmail: 0,
  withName: 0,
};
