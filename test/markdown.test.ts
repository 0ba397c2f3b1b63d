import { escapeMarkdown, toTable } from '../src/markdown.ts';

describe('escapeMarkdown', () => {
  it('keeps a text of settings from turning into markup, a link or HTML', () => {
    expect(escapeMarkdown('a | b\n<img src=x> [x](http://y) *z* `q`')).toBe(
      String.raw`a \| b \<img src=x> \[x\](http://y) \*z\* ` + '`q`',
    );
  });
});

describe('toTable', () => {
  it('has as many cells in each row as in its head', () => {
    expect(toTable(['status', ''], [['ENRICHED', '1,000']])).toBe('| status |  |\n|---|---|\n| ENRICHED | 1,000 |');
  });
});
