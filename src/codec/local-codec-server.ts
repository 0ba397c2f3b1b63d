const host = '127.0.0.1';
const port = 8234;

/** What `codec-server` listens on unless told otherwise, and what the UI of a dev server is told. */
export const localCodecServer = { host, port, url: `http://${host}:${port}` } as const;
