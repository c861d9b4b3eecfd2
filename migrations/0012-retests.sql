-- A run that looks again at one finding only. It is no run to compare others with: it saw one module.
alter table runs add column retest_of uuid;
create index runs_retests on runs (retest_of, created_at desc) where retest_of is not null;
drop index runs_baseline;
create index runs_baseline on runs (domain_id, finished_at desc) where status = 'done' and retest_of is null;
