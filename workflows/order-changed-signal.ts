import { defineSignal } from '@temporalio/workflow';

/** Sent when the service has notified a change of the order's status. */
export const orderChangedSignal = defineSignal('orderChanged');
