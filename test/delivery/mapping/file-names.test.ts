import { findFileNameProblem, toOrderFileName } from '../../../src/delivery/mapping/list-names.ts';

const id = '020d5603-4a3e-4b55-9c0a-1f1f8d5a7b11';
const order = { id, run: 'dach-weekly', title: 'Weekly: DACH / "A"' };

describe('the name of the files of an order', () => {
  it.each([
    ['{order.id}', id],
    ['{order.run} {order.id}', `dach-weekly ${id}`],
    ['{order.title} {order.id}', `Weekly- DACH - -A- ${id}`],
    [
      '{order.title} {order.title} {order.title} {order.title} {order.title} {order.title} {order.title} {order.id}',
      id,
    ],
  ])('%s', (name, expected) => {
    expect(findFileNameProblem(name)).toBeNull();
    expect(toOrderFileName(name, order)).toBe(expected);
  });

  it('is the id where another field is empty', () => {
    expect(toOrderFileName('{order.title} {order.id}', { ...order, title: '' })).toBe(id);
  });

  it.each([
    ['../{order.id}', 'has a sign that names of files cannot have, such as / or :'],
    ['.{order.id}', 'begins with a dot, which hides the file'],
    ['{order.id}.csv', 'has an ending, which is added to it'],
    [`${'x'.repeat(80)} {order.id}`, 'has 81 characters beside its fields; the most are 60'],
    ['list of {order.run}', 'needs {order.id}, without which a later order would replace the file of an earlier one'],
    ['{order.name} {order.id}', 'has {order.name}, which is not a field of the order'],
    ['{order.id|lowercase}', 'has a transform in {order.id|lowercase}, which a file name does not take'],
  ])('is refused: %s', (name, problem) => {
    expect(findFileNameProblem(name)).toBe(problem);
  });
});
