-- What the owners decided about a problem of a domain, by its fingerprint: it holds over all runs.
create table triage (
  organisation_id uuid not null references organisations on delete cascade,
  domain_id uuid not null references domains on delete cascade,
  fingerprint text not null,
  state text not null check (state in ('accepted', 'false_positive')),
  owner text not null,
  reason text not null,
  expires_at timestamptz(3),
  -- Of the finding that was looked at; another one is another matter.
  proof_hash text not null,
  -- What the list shows: check, title, severity and place as decided upon.
  subject json not null,
  decided_by text not null,
  decided_at timestamptz(3) not null default clock_timestamp(),
  -- Set once the decision no longer holds; only a new decision clears it.
  reopened_at timestamptz(3),
  reopened text check (reopened in ('evidence_changed', 'expired')),
  primary key (domain_id, fingerprint),
  check ((reopened_at is null) = (reopened is null))
);
create index triage_by_expiry on triage (expires_at) where reopened_at is null and expires_at is not null;

-- A hash of what a decision rests on; null for findings from before this column.
alter table findings add column proof_hash text;
create index findings_by_fingerprint on findings (fingerprint, run_id);

alter table runs add column open_counts jsonb;
update runs set open_counts = counts;
alter table runs alter column open_counts set not null;
alter table runs alter column open_counts
  set default '{"critical": 0, "high": 0, "medium": 0, "low": 0, "info": 0}';

-- The findings of a run about which no decision holds now.
create function open_counts(run uuid) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'critical', count(*) filter (where f.severity = 'critical'),
    'high', count(*) filter (where f.severity = 'high'),
    'medium', count(*) filter (where f.severity = 'medium'),
    'low', count(*) filter (where f.severity = 'low'),
    'info', count(*) filter (where f.severity = 'info'))
    from findings f join runs r on r.id = f.run_id
   where f.run_id = run
     and not exists (
       select 1 from triage t
        where t.domain_id = r.domain_id and t.fingerprint = f.fingerprint and t.proof_hash = coalesce(f.proof_hash, '')
          and t.reopened_at is null and (t.expires_at is null or t.expires_at > clock_timestamp()))
$$;
