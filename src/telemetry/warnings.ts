import type { LogLine } from './logs.ts';

/** Fixed texts of Node and of pg that come without a code. */
const knownTexts = /^(?:Setting the NODE_TLS_REJECT_UNAUTHORIZED |SECURITY WARNING: The SSL modes )/;
const knownNames = ['MaxListenersExceededWarning', 'TimeoutNegativeWarning', 'TimeoutOverflowWarning'];

/**
 * What Node would print about a warning, in one line; null: of no interest. The text is told where it is Node's own or pg's,
 * of all others only the name and the code.
 */
export function toWarningLine(warning: Error & { readonly code?: unknown }): LogLine | null {
  const { name, message } = warning;
  // What Node's SQLite and its reading of TypeScript are, as long as they are new.
  if (name === 'ExperimentalWarning') return null;
  const code = typeof warning.code === 'string' ? ` ${warning.code}` : '';
  const isKnown = /^ DEP\d+$/.test(code) || knownNames.includes(name) || knownTexts.test(message);
  const text = isKnown ? `: ${message.trim().replaceAll(/\s+/g, ' ')}` : '';
  return { level: 'warn', message: `Node: ${name}${code}${text}` };
}
