/**
 * A model of `@hubspot/api-client` as it stands in JSON: dates are text, enumerations are their values, and the SDK's
 * escaped names (`_new`, `_from`) lose the underscore. Used to check response bodies at compile time only.
 */
export type JsonOf<T> = T extends Date
  ? string
  : T extends string
    ? `${T}`
    : T extends readonly (infer Item)[]
      ? JsonOf<Item>[]
      : T extends object
        ? { [K in keyof T as K extends `_${infer Name}` ? Name : K]: JsonOf<T[K]> }
        : T;
