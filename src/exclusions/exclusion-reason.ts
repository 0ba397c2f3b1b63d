/** Why a company is excluded: the reasons of its sources, each once, in a fixed order. */
import { exclusionSources, type ExclusionsConfig, type ExclusionSource } from '../config/exclusion-settings.ts';
import { limits } from '../contract/index.ts';

/** What found a company: the source, and for those that have several of a kind which one: `lists:1234`. */
export type SourceTag = ExclusionSource | `${ExclusionSource}:${string}`;

const separator = '; ';

export function toSourceTag(source: ExclusionSource, detail?: string): SourceTag {
  return detail === undefined ? source : `${source}:${detail}`;
}

/** The reasons of a company that several sources name. */
export function reasonOf(
  tags: readonly string[],
  { reasons, source }: Pick<ExclusionsConfig, 'reasons' | 'source'>,
): string {
  const details = { stage: source.lifecycleStages, list: source.lists };
  const texts = exclusionSources.flatMap((kind) => {
    const found = tags.filter((tag) => tag === kind || tag.startsWith(`${kind}:`));
    const order: readonly string[] = kind === 'lists' ? details.list : details.stage;
    return found
      .map((tag) => tag.slice(kind.length + 1))
      .toSorted((a, b) => order.indexOf(a) - order.indexOf(b))
      .map((detail) => fillIn(reasons[kind], detail, source.closedWonWithinDays));
  });
  return joinReasons(texts);
}

/** One text of several, each once; cut where the service would refuse it. */
export function joinReasons(reasons: readonly (string | null | undefined)[]): string {
  const texts = reasons.flatMap((reason) => reason?.split(separator) ?? []).filter((text) => text !== '');
  return [...new Set(texts)].join(separator).slice(0, limits.entry.reason);
}

function fillIn(text: string, detail: string, days: number | null): string {
  return text
    .replaceAll('{stage}', detail)
    .replaceAll('{list}', detail)
    .replaceAll('{days}', String(days ?? ''));
}
