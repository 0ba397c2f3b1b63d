import { normalizeText } from './normalize-text.ts';

/** A header in comparable form: `Kunden-Nr.` and `kunden nr` are both `kunden_nr`. Signs that change the meaning stay: `Anteil %`. */
export function toHeaderKey(header: string): string {
  return normalizeText(header, 'NFKC')
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{L}\p{N}\p{Sc}\p{Sm}%‰#&@]+/gu, '_')
    .replaceAll(/^_|_$/g, '');
}
