/**
 * Builds the workflow bundles of the package and the image, so that installations need no compiler: one for each combination of
 * encryption and traces, from the sources beside this file.
 *   node src/temporal/build-workflow-bundles.ts       (in the package's dist: node src/temporal/build-workflow-bundles.js)
 */
import { failureConverterPath } from './codec/encryption-codec.ts';
import { buildBundles, shippedBundleFolder, tracingModules } from './workflow-bundle.ts';

await buildBundles(shippedBundleFolder, [
  {},
  { failureConverterPath },
  { interceptorModules: tracingModules },
  { failureConverterPath, interceptorModules: tracingModules },
]);
