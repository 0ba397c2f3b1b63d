import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readSuppressionList } from '../../src/cli/suppression-list.ts';
import { writeCsv } from '../../src/base/spreadsheet/csv-writer.ts';
import { batches, createFolder } from '../base/spreadsheet/temporary-folder.ts';

const folder = createFolder();
const fixtures = path.resolve(import.meta.dirname, '../fixtures/source-files');

async function read(content: string | Uint8Array) {
  const file = path.join(folder, 'list.csv');
  await writeFile(file, content);
  return (await readSuppressionList(file)).identifiers.map(({ value }) => value);
}

describe('readSuppressionList', () => {
  it.each([
    ['a header', 'email,why\njane@acme.example,x\n'],
    ['no header', 'jane@acme.example\n'],
    ['the line sep= and a byte order mark', '\uFEFFsep=;\r\nE-Mail;why\r\njane@acme.example;x\r\n'],
    ['a header that names its second column', 'name;E-Mail;by\nJane;jane@acme.example;me@own.example\n'],
    ['a formula of a text', 'email\n="jane@acme.example"\n'],
    ['angle brackets', 'email\n<jane@acme.example>\n'],
    ['a link', 'email\nmailto:jane@acme.example\n'],
    ['a column that says why', 'email,status,unsubscribed_at\njane@acme.example,unsubscribed,2026-01-01\n'],
    ['a subscription that is ended', 'email,Subscription status\njane@acme.example,Opted out\n'],
    [
      'a contact that is not for marketing',
      'email,Marketing contact status\njane@acme.example,Non-marketing contact\n',
    ],
    ['a column that says nothing', 'email,Industry,Gender\njane@acme.example,Not specified,Not specified\n'],
    ['the job of a person', 'email,Role\njane@acme.example,Marketing contact\n'],
    ['a column of consent without a yes', 'email,subscribed\njane@acme.example,false\n'],
    ['invisible characters and a dot at the end', '\u200Bjane@acme.example.\u200B\n'],
  ])('reads a file with %s', async (_, content) => {
    expect(await read(content)).toEqual(['jane@acme.example']);
  });

  it.each([
    ['a first row with a typing error', 'jane@acme,x\njohn@acme.example\n', 'row 1'],
    ['a later row that is no address', 'email\njane@acme.example\n\ngmail.com\n', 'row 4'],
    ['several addresses in a cell', 'email,why\n"jane@acme.example;john@acme.example",x\n', 'row 2'],
    ['an address and a domain in a cell', 'email,why\n"jane@acme.example, acme.example",x\n', 'row 2'],
    ['addresses on two lines of a cell', 'email,why\n"jane@acme.example\njohn@acme.example",x\n', 'row 2'],
    ['several addresses under one header', 'email\njane@acme.example;john@acme.example\n', 'several addresses'],
    ['two columns of addresses without a header', 'jane@acme.example,john@acme.example\n', 'row 1'],
    ['two columns of addresses with a header', 'email,domain\njane@acme.example,acme.example\n', 'email, domain'],
    ['an address that begins with an apostrophe', "email\n'jane@acme.example\n", 'row 2'],
    ['a name before an address', 'email\nJane <jane@acme.example>\n', 'row 2'],
    ['a name before an address, and says what is read', 'email\nJane <jane@acme.example>\n', 'Only the bare address'],
    ['a domain with a star, and says what to write', 'email\n*.acme.example\n', 'Write the domain alone'],
    ['an address with a star, and says what to write', 'email\n*@acme.example\n', 'Write the domain alone'],
    ['a mailbox provider, and says what to write', 'email\ngmail.com\n', 'This domain is that of a mailbox provider'],
    ['the ending of domains, and says what to write', 'email\nco.uk\n', 'Many domains have this ending'],
    ['a header below an address', 'jane@acme.example\nemail\njohn@acme.example\n', 'header, but is not the first row'],
    ['a header twice', 'E-Mail,why\njane@acme.example,x\nE-Mail,why\n', 'header, but is not the first row'],
    ['an unknown ending, and says what to write', 'email\nJane.Doe\n', 'No domain has this ending'],
    ['several domains in a cell, and says what to write', 'email\n"a.com, b.com"\n', 'write a row for each'],
    ['a no beside an address', 'email,opt_out\njane@acme.example,yes\njohn@acme.example,no\n', 'opt_out'],
    ['a 0 beside an address without a header', 'jane@acme.example,0\n', 'says 0'],
    [
      'a subscribed person',
      'email;status\njane@acme.example;unsubscribed\njohn@acme.example;subscribed\n',
      'says subscribed in the column status',
    ],
    [
      'a person who has not opted out',
      'Email,Subscription status\njane@acme.example,Opted out\njohn@acme.example,Not specified\n',
      'row that says not specified in the column Subscription status',
    ],
    [
      'a column in which nobody has opted out',
      'Email,Subscription status\njane@acme.example,Not specified\n',
      'says not specified in the column Subscription status',
    ],
    [
      'a person who is marketed to',
      'Email,Marketing contact status\njane@acme.example,Non-marketing contact\njohn@acme.example,Marketing contact\n',
      'row that says marketing contact in the column Marketing contact status',
    ],
    [
      'a person who is not confirmed',
      'Email,State\njane@acme.example,Unsubscribed\njohn@acme.example,Unconfirmed\n',
      'says unconfirmed in the column State',
    ],
    [
      'a yes to a newsletter',
      'email,newsletter\njane@acme.example,no\njohn@acme.example,yes\n',
      'says yes in the column newsletter',
    ],
    ['a suppression that has ended', 'value,removed_at\njane@acme.example,2026-01-01\n', 'removed_at'],
    ['a person who has subscribed again', 'email,resubscribed_at\njane@acme.example,2026-01-01\n', 'resubscribed_at'],
    ['the word for it', 'email,status\njane@acme.example,unsubscribed\njohn@acme.example,Resubscribed\n', 'row 3'],
    ['a row without a date', 'email,unsubscribed_at\njane@acme.example,2026-01-01\njohn@acme.example,\n', 'row 3'],
    [
      'a second column of addresses',
      'email,secondary\njane@acme.example,\njohn@acme.example,j@acme.example\n',
      'row 3',
    ],
    ['an empty file', '', 'list.csv'],
    ['a file with a header only', 'email,why\n', 'no address and no domain'],
    ['a file that is cut off', 'email,why\njane@acme.example,x\njohn@ac', 'the file ends inside this row'],
    ['addresses of records in HubSpot', 'https://app.hubspot.com/contacts/4711/record/0-1/72\n', 'row 1'],
    [
      'bytes that are not UTF-8',
      Buffer.from('email\nm\xfcller@acme.example\n', 'latin1'),
      'in line 2: it has bytes that are not UTF-8',
    ],
  ])('refuses %s, and names the row but no address', async (_, content, place) => {
    const message = await read(content).then(String, (error: Error) => error.message);
    expect(message).toContain(place);
    expect(message).toContain('nothing was imported');
    expect(message.replace('jane@firm.example', '')).not.toMatch(/jane|john|ller@|acme/);
  });

  it('names the columns that it reads and those that it does not read', async () => {
    const file = path.join(folder, 'list.csv');
    await writeFile(file, 'E-Mail,Opt out,score\njane@acme.example,yes,0\njohn@acme.example,yes,7\n');
    const { columns } = await readSuppressionList(file);
    expect(columns).toEqual({ read: 'E-Mail', notRead: ['Opt out', 'score'] });
  });

  it('asks to save an Excel file as CSV', async () => {
    const file = path.join(fixtures, 'x06-workbook22.xlsx');
    const message = await readSuppressionList(file).then(String, (error: Error) => error.message);
    expect(message).toContain('not CSV; save it as "CSV UTF-8". Correct the file or its path; nothing was imported');
  });

  it('reads what an export writes, also addresses that begin with a sign', async () => {
    const { identifiers, equalsRows } = await readSuppressionList(path.join(fixtures, 's6-plus.csv'));
    const values = identifiers.map(({ value }) => value);
    // Announced, because a spreadsheet program may have put the sign there.
    expect(equalsRows).toEqual([3]);
    expect(values).toEqual(['+tag@sup-sechs.example', '-minus@sup-sechs.example', '=gleich@sup-sechs.example']);
    const file = path.join(folder, 'exported.csv');
    const columns = ['value', 'kind'].map((key) => ({ key, header: key, kind: 'text' as const }));
    await writeCsv({ path: file, columns, rows: batches(values.map((value) => ({ value, kind: 'person' }))) });
    expect((await readSuppressionList(file)).identifiers.map(({ value }) => value)).toEqual(values);
  });
});
