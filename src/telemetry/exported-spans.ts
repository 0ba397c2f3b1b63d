// What leaves the process of a span. Temporal's interceptors put everything that a workflow knows of itself into its span, its last
// result and its memo among them, which encryption is to hide.
import type { Attributes } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';

const exportedAttributes: ReadonlySet<string> = new Set([
  // Of workflows
  'workflowId',
  'runId',
  'workflowType',
  'taskQueue',
  'namespace',
  'attempt',
  // Of activities and of starts
  'temporalWorkflowId',
  'temporalActivityId',
  'run_id',
  // Of calls
  'peer.service',
  'http.request.method',
  'http.response.status_code',
  'url.template',
  // Of what failed
  'error.type',
  'exception.type',
]);

/** Hands spans on with the attributes of the list alone, and without texts of errors, which may name files. */
export function exportAllowed(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(toExported), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

/** Field by field, since a span keeps some of them in its prototype, where a spread does not look. */
function toExported(span: ReadableSpan): ReadableSpan {
  return {
    name: span.name,
    kind: span.kind,
    spanContext: () => span.spanContext(),
    ...(span.parentSpanId === undefined ? {} : { parentSpanId: span.parentSpanId }),
    startTime: span.startTime,
    endTime: span.endTime,
    duration: span.duration,
    ended: span.ended,
    status: { code: span.status.code },
    attributes: toAllowed(span.attributes),
    links: span.links.map(({ context }) => ({ context })),
    events: span.events.map(({ name, time, attributes = {} }) => ({ name, time, attributes: toAllowed(attributes) })),
    resource: span.resource,
    instrumentationLibrary: span.instrumentationLibrary,
    droppedAttributesCount: span.droppedAttributesCount,
    droppedEventsCount: span.droppedEventsCount,
    droppedLinksCount: span.droppedLinksCount,
  };
}

function toAllowed(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => exportedAttributes.has(name)));
}
