import packageJson from '../../package.json' with { type: 'json' };
import { describeOperations, type Json } from '../../src/contract/openapi-document.ts';
import { refusalSchema } from './control-operation.ts';
import { controlOperations } from './control-operations.ts';

/** The control plane as an OpenAPI 3.1 document. */
export function toControlOpenApi(): Json {
  const { tags, paths, schemas } = describeOperations({
    operations: controlOperations,
    commonErrors: { 422: refusalSchema, 500: refusalSchema },
    sharedSchemas: {},
    tags: [['Control plane', '/', 'What only the owner of a stand-in may do']],
  });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control plane of the stand-ins',
      version: packageJson.version,
      description: 'What only the owner of a stand-in may do. On its own port, without keys, on this machine only.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://127.0.0.1:4030' }],
    security: [],
    tags,
    paths,
    components: { schemas },
  };
}
