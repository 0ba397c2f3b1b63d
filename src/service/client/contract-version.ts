import { z } from 'zod';
import { readBoundedText } from '../../base/http/http-answer.ts';
import { parseJsonWithinLimits } from '../../base/json/json-limits.ts';
import { trimEndOf } from '../../base/text/normalize-text.ts';
import type { ProspectingSettings } from './service-transport.ts';

/** The specification names no address of the machine-readable description ("Versioning"); these are the usual ones. */
const usualPaths = ['/openapi.json', '/api/v1/openapi.json'];

const descriptionSchema = z.object({ openapi: z.string(), info: z.object({ version: z.string() }) });

/** `info.version` of the service's OpenAPI document; null when none is found, or the service does not answer. */
export async function readContractVersion({
  baseUrl,
  apiKey,
  fetch = globalThis.fetch,
  timeoutMs = 30_000,
}: ProspectingSettings): Promise<string | null> {
  for (const path of usualPaths) {
    const request = new Request(`${trimEndOf(baseUrl, '/')}${path}`, {
      redirect: 'manual',
      headers: { authorization: `Bearer ${apiKey()}`, accept: 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await fetch(request)
      .then((response) => (response.ok ? readBoundedText(response) : null))
      .catch(() => null);
    const description = descriptionSchema.safeParse(text === null ? null : parseJsonWithinLimits(text));
    if (description.success) return description.data.info.version;
  }
  return null;
}
