import type { CollectionResponsePipelineNoPaging } from '@hubspot/api-client/lib/codegen/crm/pipelines/models/CollectionResponsePipelineNoPaging.js';
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import type { SandboxEnvironment } from '../request-middleware.ts';
import { validationError, notImplemented, notFound } from '../api-error.ts';
import { dealType, objectTypeOf } from '../object-types.ts';
import type { Portal } from '../portal/portal.ts';
import { readBody } from '../request-bodies.ts';
import { requireScope, schemaScopes } from '../scopes.ts';
import type { JsonOf } from '../json-model.ts';
import type { Pipeline } from '../built-in/default-pipeline.ts';

const createSchema = z.object({
  label: z.string().min(1),
  displayOrder: z.number().int(),
  stages: z
    .array(
      z.object({
        label: z.string().min(1),
        displayOrder: z.number().int(),
        metadata: z.object({ probability: z.string(), isClosed: z.string().optional() }),
      }),
    )
    .min(1),
});

/** Pipelines of deals and their stages, relative to `/crm/v3/pipelines`. */
export function pipelineRoutes(): Hono<SandboxEnvironment> {
  const routes = new Hono<SandboxEnvironment>();
  routes.get('/:type', (c) => {
    const results = portalFor(c, 'read').pipelines.list();
    return c.json({ results } satisfies JsonOf<CollectionResponsePipelineNoPaging>);
  });
  routes.post('/:type', async (c) => {
    const portal = portalFor(c, 'write');
    return c.json(addPipeline(portal, await readBody(c.req, createSchema)), 201);
  });
  routes.get('/:type/:id', (c) => c.json(pipelineFor(c)));
  routes.get('/:type/:id/stages', (c) => c.json({ results: pipelineFor(c).stages }));
  return routes;
}

function portalFor(c: Context<SandboxEnvironment>, access: 'read' | 'write'): Portal {
  const type = objectTypeOf(c.req.param('type') ?? '');
  if (type !== dealType) throw notImplemented(`pipelines of ${type.plural}`);
  requireScope(c.var.scopes, schemaScopes(type, access));
  return c.var.portal;
}

function pipelineFor(c: Context<SandboxEnvironment>): Pipeline {
  const id = c.req.param('id') ?? '';
  const pipeline = portalFor(c, 'read').pipelines.get(id);
  if (!pipeline) throw notFound(`No pipeline ${id} exists.`, { pipelineId: [id] });
  return pipeline;
}

/** Without `isClosed`, a stage is closed if its probability is 0 or 1. */
function addPipeline(portal: Portal, body: z.infer<typeof createSchema>): Pipeline {
  const { pipelines } = portal;
  if (pipelines.list().some(({ label }) => label === body.label)) {
    throw validationError(`A pipeline with the label ${body.label} already exists.`);
  }
  const now = portal.clock().toISOString();
  const facts = { createdAt: now, updatedAt: now, archived: false };
  const stages = body.stages.map(({ label, displayOrder, metadata }) => {
    const { probability, isClosed = String([0, 1].includes(Number(probability))) } = metadata;
    return { ...facts, id: String(portal.newId()), label, displayOrder, metadata: { isClosed, probability } };
  });
  const { label, displayOrder } = body;
  const pipeline: Pipeline = { ...facts, id: String(portal.newId()), label, displayOrder, stages };
  pipelines.add(pipeline);
  const { properties } = portal.store(dealType);
  for (const [name, added] of [
    ['pipeline', [pipeline]],
    ['dealstage', stages],
  ] as const) {
    const { options } = properties.read(name, false);
    const more = added.map(({ id, label }, i) => ({
      value: id,
      label,
      displayOrder: options.length + i,
      hidden: false,
    }));
    properties.update(name, { options: [...options, ...more] });
  }
  return pipeline;
}
