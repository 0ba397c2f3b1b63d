/** The alerts that Prometheus loads from deploy/prometheus/rules.yml. */
import { parse } from 'yaml';
import { z } from 'zod';

const rulesSchema = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          for: z.templateLiteral([z.number(), 'm']).optional(),
          annotations: z.object({ summary: z.string(), description: z.string() }),
        }),
      ),
    }),
  ),
});
export type AlertRule = z.infer<typeof rulesSchema>['groups'][number]['rules'][number];

/** @throws where the text is not a file of alert rules */
export function readAlertRules(yaml: string): AlertRule[] {
  return rulesSchema.parse(parse(yaml)).groups.flatMap(({ rules }) => rules);
}
