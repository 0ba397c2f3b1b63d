import * as fc from 'fast-check';
import { createVault } from '../../../sandbox/webhooks/secret-store.ts';

describe('createVault', () => {
  it('opens what it has sealed, and shows nothing of it', () => {
    const { seal, open } = createVault();
    fc.assert(
      fc.property(fc.string({ minLength: 8, unit: 'binary' }), (text) => {
        const sealed = seal(text);
        expect(open(sealed)).toBe(text);
        expect(sealed).not.toContain(text);
        expect(Buffer.from(sealed, 'base64').includes(text)).toBe(false);
        expect(seal(text)).not.toBe(sealed);
      }),
    );
  });

  it('opens nothing that was changed or sealed elsewhere', () => {
    const { seal, open } = createVault();
    const bytes = Buffer.from(seal('open sesame'), 'base64');
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    expect(() => open(bytes.toString('base64'))).toThrow('unable to authenticate data');
    expect(() => open(createVault().seal('open sesame'))).toThrow('unable to authenticate data');
  });
});
