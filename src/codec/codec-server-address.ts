const host = '127.0.0.1';
const port = 8234;

/**
 * Default address of `codec-server`, which the UI of a dev server uses. In a file of its own: every command reads it for its options,
 * and only few need the server.
 */
export const localCodecServer = { host, port, url: `http://${host}:${port}` } as const;
