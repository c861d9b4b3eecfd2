-- One row a problem of a domain over all runs, by its fingerprint (src/store/problems.ts). The decision about it stands in triage.
create table problems (
  organisation_id uuid not null references organisations on delete cascade,
  domain_id uuid not null references domains on delete cascade,
  fingerprint text not null,
  -- As in findings: by which rule the fingerprint was made, and what earlier rules called the problem.
  identity_rule smallint not null,
  formerly text[] not null default '{}',
  domain text not null,
  check_id text not null,
  module text not null,
  title text not null,
  location json not null,
  -- How many, and the first of them in one line.
  places int not null,
  place text not null,
  cwe int,
  kev boolean not null,
  confidence text not null,
  -- As judged; and as a person has put it, with reason and name.
  seen_severity text not null,
  severity text,
  severity_reason text,
  severity_by text,
  severity_at timestamptz(3),
  state text not null default 'open' check (state in ('open', 'accepted', 'false_positive', 'fixed', 'reopened')),
  first_seen timestamptz(3) not null,
  last_seen timestamptz(3) not null,
  -- The last run that saw it, and its finding.
  last_run uuid not null,
  finding_id uuid not null,
  -- Some passive run saw it: then a passive one can miss it too.
  seen_passive boolean not null,
  -- The run that asked the same place again and did not find it.
  fixed_in uuid,
  fixed_at timestamptz(3),
  -- Seen again after it was fixed.
  returned_at timestamptz(3),
  assignee text,
  due date,
  -- Another problem, under the present fingerprint, stands for this one.
  superseded_at timestamptz(3),
  open boolean not null generated always as (state in ('open', 'reopened')) stored,
  -- 4 is critical, 0 is info.
  gravity smallint not null generated always as (
    5 - array_position('{critical,high,medium,low,info}'::text[], coalesce(severity, seen_severity))) stored,
  due_order date not null generated always as (coalesce(due, 'infinity'::date)) stored,
  words tsvector not null generated always as (to_tsvector('simple'::regconfig,
    regexp_replace(left(title || ' ' || domain || ' ' || place || ' ' || check_id, 4000), '[^[:alnum:]]+', ' ', 'g'))) stored,
  primary key (domain_id, fingerprint),
  check ((fixed_at is null) = (fixed_in is null)),
  check ((severity is null) = (severity_reason is null))
);
create index problems_by_gravity on problems (organisation_id, gravity desc, first_seen desc, domain_id desc, fingerprint desc)
  where superseded_at is null;
create index problems_open_by_gravity on problems (organisation_id, open, gravity desc, first_seen desc, domain_id desc, fingerprint desc)
  where superseded_at is null;
create index problems_by_sight on problems (organisation_id, last_seen desc, domain_id desc, fingerprint desc)
  where superseded_at is null;
create index problems_open_by_sight on problems (organisation_id, open, last_seen desc, domain_id desc, fingerprint desc)
  where superseded_at is null;
create index problems_by_due on problems (organisation_id, due_order, domain_id, fingerprint) where superseded_at is null;
create index problems_open_by_due on problems (organisation_id, open, due_order, domain_id, fingerprint)
  where superseded_at is null;
create index problems_of_domain on problems (domain_id, gravity desc, first_seen desc, fingerprint desc) where superseded_at is null;
create index problems_of_check on problems (organisation_id, check_id, gravity desc, first_seen desc) where superseded_at is null;
create index problems_of_module on problems (organisation_id, module, gravity desc, first_seen desc) where superseded_at is null;
create index problems_of_assignee on problems (organisation_id, assignee) where superseded_at is null and assignee is not null;
create index problems_of_cwe on problems (organisation_id, cwe) where superseded_at is null and cwe is not null;
create index problems_exploited on problems (organisation_id, gravity desc, first_seen desc) where superseded_at is null and kev;
create index problems_new on problems (organisation_id, first_seen desc) where superseded_at is null;
create index problems_by_words on problems using gin (words) where superseded_at is null;

-- What happened to a problem and who did it: what runs came to, decisions, comments.
create table problem_events (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references organisations on delete cascade,
  domain_id uuid not null references domains on delete cascade,
  fingerprint text not null,
  at timestamptz(3) not null default clock_timestamp(),
  kind text not null check (kind in ('opened', 'fixed', 'reopened', 'decided', 'severity', 'assigned', 'due', 'comment')),
  -- Null: a run or the calendar did it.
  actor text,
  run_id uuid,
  -- By kind, see src/contract/domain-finding.ts.
  data json not null default '{}'
);
create index problem_events_of on problem_events (domain_id, fingerprint, at desc, id desc);

-- Of a done run: the problems of its domain have followed it. Those of before do when the service starts.
alter table runs add column problems_followed boolean not null default false;
create index runs_to_follow on runs (finished_at, id) where status = 'done' and not problems_followed and not dry_run;

insert into problem_events (organisation_id, domain_id, fingerprint, at, kind, actor, data)
  select organisation_id, domain_id, fingerprint, decided_at, 'decided', decided_by,
         json_build_object('state', state, 'owner', owner, 'reason', reason, 'expires_at', rfc3339(expires_at))
    from triage;

-- Lists of findings that somebody has named. Those of a person or of a key: `actor_id` is the member's or the key's.
create table saved_views (
  organisation_id uuid not null references organisations on delete cascade,
  actor_id uuid not null,
  name text not null,
  -- The filters, as the query of the address has them.
  query text not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (organisation_id, actor_id, name)
);
