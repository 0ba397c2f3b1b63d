import * as fc from 'fast-check';
import { createSecretStore } from '../../../sandbox/webhooks/secret-store.ts';
import { anyCharacter } from '../../helpers/random-text.ts';

describe('createSecretStore', () => {
  it('decrypts what it has encrypted', () => {
    const { encrypt, decrypt } = createSecretStore();
    fc.assert(
      fc.property(fc.string({ minLength: 8, unit: anyCharacter }), (text) => {
        const sealed = encrypt(text);
        expect(decrypt(sealed)).toBe(text);
        expect(sealed).not.toContain(text);
        expect(Buffer.from(sealed, 'base64').includes(text)).toBe(false);
        expect(encrypt(text)).not.toBe(sealed);
      }),
    );
  });

  it('rejects changed texts and texts of another store', () => {
    const { encrypt, decrypt } = createSecretStore();
    const bytes = Buffer.from(encrypt('open sesame'), 'base64');
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    expect(() => decrypt(bytes.toString('base64'))).toThrow('unable to authenticate data');
    expect(() => decrypt(createSecretStore().encrypt('open sesame'))).toThrow('unable to authenticate data');
  });
});
