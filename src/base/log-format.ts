/** Apart from logs.ts, since the command table needs the formats at every start, and logs.ts loads the SDK. */
export const logFormats = ['json', 'text'] as const;
export type LogFormat = (typeof logFormats)[number];
