import { AsyncLocalStorage } from 'node:async_hooks';
import { ROOT_CONTEXT, type Context, type ContextManager } from '@opentelemetry/api';

/** What makes a call to another system the child of the activity that sent it. OpenTelemetry's own stands in one more package. */
export function createAsyncContext(): ContextManager {
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
