-- Renderings of a run's report. Each has a number within its run, and the files that were made with it have it too.
create table reports (
  run_id uuid not null references runs on delete cascade,
  version int not null check (version > 0),
  -- 'none': findings.json and the page only, nobody has asked for a PDF.
  state text not null check (state in ('none', 'pending', 'ready', 'failed')),
  -- Why it failed, a sentence for a person.
  reason text,
  -- As asked for: language, texts.
  options jsonb not null default '{}',
  -- Times that a worker took it up; one that was handed back on drain does not count.
  attempts int not null default 0,
  -- The fencing token: whoever does not know it can write nothing.
  lease_token uuid,
  -- A pending one may be taken from then on: when it was asked for, when a lease ends, when it is to be tried again.
  due_at timestamptz(3) not null default clock_timestamp(),
  asked_at timestamptz(3) not null default clock_timestamp(),
  finished_at timestamptz(3),
  primary key (run_id, version),
  check (state = 'pending' or lease_token is null),
  check ((state = 'failed') = (reason is not null))
);
create index reports_due on reports (due_at) where state = 'pending';

-- Null for what has no versions: the audit log and evidence.
alter table artifacts add column version int;
alter table artifacts drop constraint artifacts_kind_check;
alter table artifacts add constraint artifacts_kind_check check (kind in
  ('report_pdf', 'findings_json', 'audit_log', 'report_tex', 'evidence', 'branding_logo', 'report_html'));
update artifacts set version = 1 where kind in ('report_pdf', 'findings_json', 'report_tex', 'branding_logo');
create unique index artifacts_one_a_version on artifacts (run_id, kind, version)
  where version is not null and stored_at is not null;

insert into reports (run_id, version, state, finished_at)
  select r.id, 1,
         case when exists (
           select 1 from artifacts a where a.run_id = r.id and a.kind = 'report_pdf' and a.stored_at is not null
         ) then 'ready' else 'none' end,
         r.finished_at
    from runs r where r.status = 'done';

-- A run that goes back to the queue or ends without a result has no report: what was made of it goes with it.
create function run_has_no_report() returns trigger
language plpgsql as $$
begin
  delete from reports where run_id = new.id;
  update artifacts set stored_at = null where run_id = new.id and version is not null and deleted_at is null;
  return null;
end
$$;
create trigger run_has_no_report after update of status on runs
  for each row when (old.status in ('leased', 'running') and new.status in ('queued', 'failed', 'canceled'))
  execute function run_has_no_report();
