import { parse } from 'protobufjs';
import { serveFetch } from './serve-fetch.ts';

/** The part of OTLP that contains spans: opentelemetry/proto/trace/v1/trace.proto. */
const { root } = parse(`syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span { bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; repeated KeyValue attributes = 9; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { string string_value = 1; int64 int_value = 3; }
`);
const requestType = root.lookupType('Request');

interface RawSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly attributes: RawAttribute[];
}
interface RawAttribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: string };
}

/** Receives traces over HTTP. */
export async function receiveSpans() {
  const bodies: Buffer[] = [];
  const server = await serveFetch(async (request) => {
    if (new URL(request.url).pathname === '/v1/traces') bodies.push(Buffer.from(await request.arrayBuffer()));
    return new Response();
  });
  return {
    ...server,
    /** All received bytes. */
    bytes: () => Buffer.concat(bodies),
    spans() {
      return bodies.flatMap((body) => {
        const { resourceSpans } = requestType.toObject(requestType.decode(body), {
          bytes: String,
          longs: String,
          arrays: true,
          defaults: true,
        }) as { resourceSpans: { resource: { attributes: RawAttribute[] }; scopeSpans: { spans: RawSpan[] }[] }[] };
        return resourceSpans.flatMap(({ resource, scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) =>
            spans.map(({ attributes, ...span }) => ({
              ...span,
              resource: toRecord(resource.attributes),
              attributes: toRecord(attributes),
            })),
          ),
        );
      });
    },
  };
}

function toRecord(attributes: readonly RawAttribute[]): Record<string, string> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue || value.intValue || '']));
}
