import { checkShape } from '../../src/config/schema-problems.ts';

describe('checkShape', () => {
  it.each([
    ['🏭', 'a text of 1 character'],
    ['🏭🏭', 'a text of 2 characters'],
    ['Größe 🏭'.repeat(200), 'a text of 1,400 characters'],
  ])('counts the characters of a text like its rules (%#)', (address, found) => {
    const { problems } = checkShape({ service: { base_url: address } });
    const problem = problems.find(({ path }) => path.join('.') === 'service.base_url');
    expect(problem?.found).toBe(found);
  });
});
