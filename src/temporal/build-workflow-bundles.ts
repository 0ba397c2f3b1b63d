/**
 * Builds the workflow bundles of the package and the image, so that installations need no compiler: one for each combination of
 * encryption and traces, from the sources beside this file.
 *   node src/temporal/build-workflow-bundles.ts       (in the package's dist: node src/temporal/build-workflow-bundles.js)
 */
import { failureConverterPath } from '../codec/encryption-codec.ts';
import { workflowModules } from '../telemetry/tracing.ts';
import { buildBundles, shippedBundleFolder } from './workflow-bundle.ts';

await buildBundles(shippedBundleFolder, [
  {},
  { failureConverterPath },
  { interceptorModules: workflowModules },
  { failureConverterPath, interceptorModules: workflowModules },
]);
