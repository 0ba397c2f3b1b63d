/** The 22 operations of the interface, once. openapi.json, the client's types and the stand-in's checks come from this table. */
import { blacklistOperations } from './blacklist-operations.ts';
import { deliveryOperations } from './delivery-operations.ts';
import { orderOperations } from './order-operations.ts';
import { outputOperations } from './output-operations.ts';
import { profileOperations } from './profile-operations.ts';

export const operations = {
  ...blacklistOperations,
  ...profileOperations,
  ...orderOperations,
  ...outputOperations,
  ...deliveryOperations,
} as const;

export type OperationId = keyof typeof operations;
