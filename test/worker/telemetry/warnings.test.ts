import { toWarningLine } from '../../../src/base/logs.ts';

const warning = (name: string, message: string, code?: string) =>
  Object.assign(new Error(message), { name, ...(code === undefined ? {} : { code }) });

describe('toWarningLine', () => {
  it('returns a warning of pg as one line', () => {
    const text =
      "SECURITY WARNING: The SSL modes 'prefer', 'require' are aliases.\nIn the next version they\n\nare not.";
    expect(toWarningLine(warning('Warning', text))).toEqual({
      level: 'warn',
      message:
        "Node: Warning: SECURITY WARNING: The SSL modes 'prefer', 'require' are aliases. In the next version they are not.",
    });
  });

  it('returns a deprecation of Node with its code', () => {
    const line = toWarningLine(warning('DeprecationWarning', 'Setting the TLS ServerName to an IP address', 'DEP0123'));
    expect(line?.message).toBe('Node: DeprecationWarning DEP0123: Setting the TLS ServerName to an IP address');
  });

  it('returns only name and code of an unknown warning', () => {
    expect(toWarningLine(warning('Warning', 'jane@doe.example'))?.message).toBe('Node: Warning');
    expect(toWarningLine(warning('Warning', 'jane@doe.example', 'X1'))?.message).toBe('Node: Warning X1');
  });

  it('leaves out warnings about experimental features', () => {
    expect(toWarningLine(warning('ExperimentalWarning', 'SQLite is an experimental feature'))).toBeNull();
  });
});
