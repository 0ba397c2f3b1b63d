import { defaultPipeline, type Pipeline, type Stage } from '../built-in/default-pipeline.ts';

/** The pipelines of deals in one portal. Ids of stages are unique over all of them. */
export interface PipelineStore {
  list(): Pipeline[];
  get(id: string): Pipeline | undefined;
  stage(id: string): Stage | undefined;
  add(pipeline: Pipeline): void;
}

export function createPipelineStore(): PipelineStore {
  const pipelines = [defaultPipeline];
  return {
    list: () => pipelines,
    get: (id) => pipelines.find((pipeline) => pipeline.id === id),
    stage: (id) => pipelines.flatMap(({ stages }) => stages).find((stage) => stage.id === id),
    add(pipeline) {
      pipelines.push(pipeline);
    },
  };
}
