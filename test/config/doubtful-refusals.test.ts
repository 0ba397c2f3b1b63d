import { findConfigurationWarnings } from '../../src/config/configuration-warnings.ts';
import { head, profile, read } from './config-harness.ts';

const warnOf = (text: string) => findConfigurationWarnings(read(`${head}${text}`));

describe('what a reply does that is a refusal', () => {
  const statusOf = (name: string, status: string) =>
    `replies.classes.${name}.lead_status is ${status}, the status of a contact to follow up: people would contact somebody who has refused. Write UNQUALIFIED or a status of your own for refusals, or null to leave the status unchanged`;

  it('is named with a status or a task by which people contact the person', () => {
    const classes = '{do_not_contact: {lead_status: CONNECTED}, not_interested: {task: true, lead_status: CONNECTED}}';
    expect(warnOf(`replies: {classes: ${classes}}`)).toEqual([
      statusOf('not_interested', 'CONNECTED'),
      'replies.classes.not_interested.task is true: the owner would get a task for the contact, and could contact somebody who has refused. Write false; the note shows the reply',
      statusOf('do_not_contact', 'CONNECTED'),
    ]);
  });

  it('is named with the status of an interested reply', () => {
    const classes = '{interested: {lead_status: HOT}, wrong_person: {lead_status: HOT, task: true}}';
    expect(warnOf(`replies: {classes: ${classes}}`)).toEqual([statusOf('wrong_person', 'HOT')]);
  });

  it.each(['{}', '{do_not_contact: {lead_status: REFUSED}, not_interested: {lead_status: BAD_TIMING}}'])(
    'is not named: %s',
    (classes) => expect(warnOf(`replies: {classes: ${classes}}`)).toEqual([]),
  );
});

describe('suppressions: false', () => {
  const exclusions = (more: string) =>
    `exclusions: {customers: {blacklist: B, csv: a.csv, suppressions: false}, partners: {existing: Partners}, other: {blacklist: C, csv: b.csv${more}}}
runs: {a: {kind: discovery, briefing_quantity: 1, exclusions: [customers, partners, other], profile: ${profile.replace('DE', 'Germany')}}}`;

  it('is named if every exclusion of a discovery has it', () => {
    expect(warnOf(exclusions(', suppressions: false'))).toEqual([
      'exclusions.customers.suppressions, exclusions.other.suppressions: with false in every exclusion of runs.a, its orders may buy companies that asked not to be contacted. Remove suppressions: false from one of them, or add an exclusion with suppressions: true to runs.a.exclusions',
    ]);
    expect(warnOf(exclusions(''))).toEqual([]);
  });
});
