/** The table of alerts in docs/running.md, from the rules that Prometheus loads. */
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

const [begin, end] = ['<!-- alerts: written by npm run contract -->\n', '<!-- end of alerts -->\n'];

/** @throws where the text is no such file of rules */
export function readAlertRules(yaml: string): AlertRule[] {
  return rulesSchema.parse(parse(yaml)).groups.flatMap(({ rules }) => rules);
}

/** The document with its table made anew. */
export function withAlertTable(document: string, rules: readonly AlertRule[]): string {
  const [before, rest] = document.split(begin, 2);
  const after = rest?.split(end, 2)[1];
  if (before === undefined || after === undefined) throw new Error(`the document has no lines ${begin}${end}`);
  return [before, begin, toTable(rules), end, after].join('');
}

function toTable(rules: readonly AlertRule[]): string {
  const rows = rules.map(({ alert, for: holds, annotations: { summary, description } }) => {
    const patience = holds === undefined ? '' : `, for ${holds.replace('m', ' minutes')}`;
    return `| \`${alert}\`${patience} | ${summary} | ${description} |\n`;
  });
  return ['\n| Alert | Meaning | What to do |\n|---|---|---|\n', ...rows, '\n'].join('');
}
