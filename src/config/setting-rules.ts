/** Rules that judge valid settings of a section: a table of settings and judges, and the warnings that result. */

/** What is wrong with a setting, and what to write; null: nothing. */
type Judge<T> = (settings: T) => string | null;

export type Rules<T> = readonly (readonly [setting: string, judge: Judge<T>])[];

/** Each warning as `runs.weekly.title is …`. */
export function applyRules<T>(path: string, rules: Rules<T>, settings: T): string[] {
  return rules.flatMap(([setting, judge]) => {
    const problem = judge(settings);
    return problem === null ? [] : [`${path}.${setting} ${problem}`];
  });
}

export function quoted(texts: readonly string[]): string {
  return texts.map((text) => JSON.stringify(text)).join(', ');
}
