// OpenTelemetry traces: starts of workflows, workflows, activities, and their calls to both systems. Loaded only when an endpoint is
// set. The exporter reads address, headers and timeout from the OTEL_EXPORTER_OTLP_… variables.
import {
  SpanKind,
  SpanStatusCode,
  trace,
  ROOT_CONTEXT,
  type Context,
  type ContextManager,
  type Attributes,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { Resource, detectResourcesSync, envDetectorSync } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import {
  OpenTelemetryActivityInboundInterceptor,
  OpenTelemetryActivityOutboundInterceptor,
  OpenTelemetryWorkflowClientInterceptor,
  makeWorkflowExporter,
  type OpenTelemetrySinks,
} from '@temporalio/interceptors-opentelemetry';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import packageJson from '../../../package.json' with { type: 'json' };
import { tracingModules } from '../../temporal/workflow-bundle.ts';
import type { CallWatcher } from './calls.ts';
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Tracing {
  readonly client: OpenTelemetryWorkflowClientInterceptor;
  /** Must be the outermost interceptor: spans then get the converted failure, never its cause. */
  readonly activity: ActivityInterceptorsFactory;
  readonly workflowModules: readonly string[];
  readonly sinks: InjectedSinks<OpenTelemetrySinks>;
  readonly watchCall: CallWatcher;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

/** OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES override the attributes that are set here. */
export function openTracing(instanceId: string): Tracing {
  const resource = new Resource({
    'service.name': 'prospect-sync',
    'service.version': packageJson.version,
    'service.instance.id': instanceId,
  }).merge(detectResourcesSync({ detectors: [envDetectorSync] }));
  const processor = new BatchSpanProcessor(exportAllowed(new OTLPTraceExporter()));
  const provider = new BasicTracerProvider({ resource, spanProcessors: [processor] });
  provider.register({ contextManager: createAsyncContext() });
  return {
    client: new OpenTelemetryWorkflowClientInterceptor(),
    activity: (context) => {
      const inbound = new OpenTelemetryActivityInboundInterceptor(context);
      return {
        inbound: {
          execute: (input, next) => inbound.execute(input, (activityInput) => withErrorType(() => next(activityInput))),
        },
        outbound: new OpenTelemetryActivityOutboundInterceptor(context),
      };
    },
    workflowModules: tracingModules,
    sinks: { exporter: makeWorkflowExporter(processor, resource) },
    watchCall: traceCall,
    // An unreachable collector must not fail the shutdown of the worker.
    close: () => provider.shutdown().catch(() => {}),
  };
}

/** Adds the type of a failure to the span; its text is not exported. */
async function withErrorType<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ApplicationFailure)
      trace.getActiveSpan()?.setAttribute('error.type', error.type ?? error.name);
    throw error;
  }
}

const traceCall: CallWatcher = ({ system, method, route }, send) =>
  trace.getTracer('prospect-sync').startActiveSpan(
    `${method} ${route}`,
    {
      kind: SpanKind.CLIENT,
      attributes: { 'peer.service': system, 'http.request.method': method, 'url.template': route },
    },
    async (span) => {
      try {
        const response = await send();
        span.setAttribute('http.response.status_code', response.status);
        if (response.status >= 400) span.setStatus({ code: SpanStatusCode.ERROR });
        return response;
      } catch (error) {
        // The message may quote the address.
        span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
  );

/** Makes the span of a call a child of its activity's span. OpenTelemetry's own context manager would need another package. */
function createAsyncContext(): ContextManager {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (context, run, thisArgument, ...args) => storage.run(context, () => run.call(thisArgument, ...args)),
    bind: (_, target) => target,
    enable: () => manager,
    disable() {
      storage.disable();
      return manager;
    },
  };
  return manager;
}

// Only these attributes are exported, because Temporal's interceptors add the last result and the memo of a workflow to its span.
const exportedAttributes: ReadonlySet<string> = new Set([
  // Workflows
  'workflowId',
  'runId',
  'workflowType',
  'taskQueue',
  'namespace',
  'attempt',
  // Activities and starts of workflows
  'temporalWorkflowId',
  'temporalActivityId',
  'run_id',
  // Calls
  'peer.service',
  'http.request.method',
  'http.response.status_code',
  'url.template',
  // Failures
  'error.type',
  'exception.type',
]);

/** Exports only the allowed attributes, and no error texts, which may name files. */
function exportAllowed(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(toExported), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

/** Copies field by field, because a spread omits the getters of a span's prototype. */
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
