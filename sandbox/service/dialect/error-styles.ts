/** Converts error bodies that the specification does not show to the style of other frameworks. */
import { isRecord, type Json } from './json-paths.ts';

/** The specification shows these bodies, so they stay unchanged. */
const shownStatuses = [401, 403];

export async function toErrorStyle(style: string, response: Response): Promise<Response> {
  if (style === 'fastapi' || shownStatuses.includes(response.status)) return response;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  if (!isRecord(body) || body['code'] === 'BLACKLIST_NOT_FOUND') return response;
  const headers = new Headers(response.headers);
  headers.set(
    'content-type',
    style === 'problem' ? 'application/problem+json; charset=utf-8' : 'application/json; charset=utf-8',
  );
  return new Response(JSON.stringify(restyle(style, response.status, body)), { status: response.status, headers });
}

function restyle(style: string, status: number, { detail, ...body }: Json): Json {
  const problems = Array.isArray(detail) ? detail.filter(isRecord).map(toProblem) : [];
  const { code = 'VALIDATION_ERROR', message = 'The request is not valid.', ...facts } = body;
  if (style === 'problem') {
    return {
      type: `https://errors.example/${String(code).toLowerCase().replaceAll('_', '-')}`,
      title: message,
      status,
      code,
      ...facts,
      ...(problems.length === 0
        ? {}
        : { errors: problems.map(({ path, text }) => ({ pointer: `/${path.join('/')}`, detail: text })) }),
    };
  }
  if (style === 'errors') {
    return {
      code,
      ...facts,
      errors:
        problems.length === 0
          ? [{ code, detail: message }]
          : problems.map(({ path, text, kind }) => ({
              code: kind,
              source: { pointer: `/${path.join('/')}` },
              detail: text,
            })),
    };
  }
  if (style === 'nested') {
    return {
      error: {
        code,
        message,
        ...facts,
        ...(problems.length === 0
          ? {}
          : {
              details: problems.map(({ path, text, kind }) => ({ field: path.join('.'), message: text, code: kind })),
            }),
      },
    };
  }
  return {
    code,
    message,
    ...facts,
    ...(problems.length === 0
      ? {}
      : { errors: Object.fromEntries(problems.map(({ path, text }) => [path.join('.'), [text]])) }),
  };
}

function toProblem(item: Json): { path: string[]; text: string; kind: string } {
  const [, ...path] = Array.isArray(item['loc']) ? item['loc'].map(String) : [];
  return { path, text: textOf(item['msg']), kind: textOf(item['type']) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
