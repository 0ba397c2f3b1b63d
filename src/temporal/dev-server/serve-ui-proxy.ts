/** The process of ui-proxy.ts, with the arguments of `toArguments` there. It ends when the dev server has ended. */
import { isStillRunning } from './process-identity.ts';
import { createUiProxy } from './ui-proxy.ts';

const watchMilliseconds = 1_000;

const [port, host = '', upstreamPort, pid, started = ''] = process.argv.slice(2);
createUiProxy({ host, port: Number(upstreamPort) }).listen(Number(port), '127.0.0.1');
setInterval(() => {
  void isStillRunning({ pid: Number(pid), started }).then((isRunning) => {
    if (!isRunning) process.exit();
  });
}, watchMilliseconds);
