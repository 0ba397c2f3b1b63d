/** Temporal loads this module by path, also into the workflow bundle: import nothing of Node here. */
import { DefaultFailureConverter } from '@temporalio/common';

/** Moves messages and stacks of failures into a payload, which the codec encrypts. Types of failures stay readable. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
