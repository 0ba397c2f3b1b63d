import { escapeMarkdown, toList } from '../../../src/base/text/markdown.ts';

describe('escapeMarkdown', () => {
  it('prevents a text from becoming markup, a link or HTML', () => {
    expect(escapeMarkdown('a | b\n<img src=x> [x](http://y) *z* `q`')).toBe(
      String.raw`a \| b \<img src=x\> \[x\](http\://y) \*z\* ` + '`q`',
    );
  });
});

describe('toList', () => {
  it('returns a line for each entry', () => {
    expect(
      toList([
        ['status', 'ENRICHED 1,000'],
        ['title', 'a *b*'],
      ]),
    ).toBe(String.raw`- **status**: ENRICHED 1,000` + '\n' + String.raw`- **title**: a \*b\*`);
  });
});
