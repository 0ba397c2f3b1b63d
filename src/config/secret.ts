/** A value that cannot be printed by accident: JSON, templates and inspection show three stars. */
export interface Secret {
  /** The value itself; call it where the request is made, and nowhere else. */
  reveal(): string;
  toJSON(): '***';
  toString(): '***';
}

export function createSecret(value: string): Secret {
  const hidden = () => '***' as const;
  const secret = { reveal: () => value, toJSON: hidden, toString: hidden };
  // console.log and the assertion messages of Node call it.
  return Object.defineProperty(secret, Symbol.for('nodejs.util.inspect.custom'), { value: hidden });
}
