-- Stored runs are judged again when feeds bring news (src/store/knowledge-news.ts, src/store/judgements.ts).

-- The newest version of each feed that a worker has told of.
create table known_feeds (
  feed text primary key,
  version text not null,
  imported_at timestamptz(3) not null
);
-- One row. News are counted; who asks the feeds about components has a token until `due_at`; judgements begun in a minute.
create table knowledge_news (
  one boolean primary key default true check (one),
  number int not null default 0,
  token uuid,
  due_at timestamptz(3) not null default clock_timestamp(),
  minute timestamptz(3),
  begun int not null default 0
);
-- What feeds are asked about, once whatever number of domains have it; `checked`: the news that it was last asked after.
create table components (
  digest text primary key,
  module text not null,
  question text not null,
  checked int not null
);
create index components_due on components (checked);
-- What the latest whole run of each domain asked, and what it was answered; null where its facts do not tell.
create table domain_components (
  domain_id uuid not null references domains on delete cascade,
  digest text not null references components,
  run_id uuid not null references runs on delete cascade,
  answer text,
  primary key (domain_id, digest)
);
create index domain_components_of on domain_components (digest);
create index domain_components_run on domain_components (run_id);
-- Runs that are to be judged again. `news`: the last that asked for it.
create table judgements (
  run_id uuid primary key references runs on delete cascade,
  news int not null,
  attempts int not null default 0,
  token uuid,
  due_at timestamptz(3) not null default clock_timestamp()
);
create index judgements_due on judgements (due_at);

-- Of a done run: its components are known, or it has been found not to be the latest. `not_again`: why its facts do not hold enough.
alter table runs add column components_read boolean not null default false;
alter table runs add column not_again text;
-- {at, version, feeds, reason}, see src/contract/run.ts.
alter table runs add column judged_again json;
update runs r set components_read = true
 where r.status = 'done' and exists (
   select 1 from runs l
    where l.domain_id = r.domain_id and l.status = 'done' and l.retest_of is null and l.options->'hypothesis' is null
      and not l.dry_run and l.finished_at > r.finished_at);
create index runs_to_read on runs (finished_at, id) where status = 'done' and not components_read;

alter table organisations add column judge_again boolean not null default true;

-- Of a version that a judgement made: what it replaced, see src/worker/judged-file.ts. Without `pdf` nobody had asked for one.
alter table reports add column judged json;
alter table reports add column pdf boolean not null default true;

alter table problem_events drop constraint problem_events_kind_check;
alter table problem_events add constraint problem_events_kind_check check (kind in
  ('opened', 'fixed', 'reopened', 'decided', 'severity', 'assigned', 'due', 'comment', 'judged_again'));
