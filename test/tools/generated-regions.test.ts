import { replaceRegions, toTable } from '../../tools/generated-regions.ts';

const document =
  'intro\n<!-- generated: a -->\nold\n<!-- end -->\nbetween\n<!-- generated: b -->\n<!-- end -->\nrest\n';

describe('replaceRegions', () => {
  it('replaces the content of each region and keeps the text around it', () => {
    const replaced = replaceRegions(document, { a: 'new', b: 'more' });
    expect(replaced).toBe(
      'intro\n<!-- generated: a -->\n\nnew\n\n<!-- end -->\nbetween\n<!-- generated: b -->\n\nmore\n\n<!-- end -->\nrest\n',
    );
    expect(replaceRegions(replaced, { a: 'new', b: 'more' })).toBe(replaced);
  });

  it('rejects a document with a missing, unknown or unterminated region', () => {
    expect(() => replaceRegions('no region', { a: '' })).toThrow('no generated region a');
    expect(() => replaceRegions(document, { a: '' })).toThrow('region b is unknown');
    expect(() => replaceRegions('<!-- generated: a -->\n', { a: '' })).toThrow('has no end');
  });
});

describe('toTable', () => {
  it('escapes characters that would end a cell', () => {
    expect(toTable(['x', 'y'], [['a|b', 'c\nd']])).toBe('| x | y |\n|---|---|\n| a\\|b | c d |');
  });
});
