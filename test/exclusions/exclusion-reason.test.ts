import { joinReasons, reasonOf } from '../../src/exclusions/exclusion-reason.ts';
import { exclusionPlan, exclusionSource } from '../helpers/exclusion-plan.ts';

describe('reasonOf', () => {
  it('joins the reasons in the order of the sources, however they were found', () => {
    const plan = exclusionPlan({
      source: exclusionSource({ lists: ['9', '10'], lifecycleStages: ['lead', 'customer'], closedWonWithinDays: 90 }),
      reasons: { ...exclusionPlan().reasons, lifecycle_stages: 'Stage {stage}' },
    });
    const tags = ['do_not_contact', 'lists:10', 'lists:9', 'closed_won', 'open_deals', 'lifecycle_stages:lead'];
    expect(reasonOf(tags, plan)).toBe('Stage lead; Open deal; Won within 90 days; List 9; List 10; Do not contact');
  });

  it('says a reason of several sources once', () => {
    const reasons = { ...exclusionPlan().reasons, open_deals: 'Known', lists: 'Known' };
    const plan = exclusionPlan({ source: exclusionSource({ lists: ['9'], openDeals: true }), reasons });
    expect(reasonOf(['open_deals', 'lists:9'], plan)).toBe('Known');
  });
});

describe('joinReasons', () => {
  it('is never longer than the service takes', () => {
    expect(joinReasons(['a'.repeat(1_500), null, 'b'.repeat(1_500)])).toHaveLength(2_000);
    expect(joinReasons([undefined, ''])).toBe('');
  });
});
