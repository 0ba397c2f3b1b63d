/** Loaded by path, also into the bundle of the workflows: nothing of Node may be imported here. */
import { DefaultFailureConverter } from '@temporalio/common';

/** Messages and stacks of failures become a payload, which the codec then encrypts; types of failures stay readable. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
