-- Times have millisecond precision so that a JavaScript Date holds them exactly: a paging cursor is then never off by a fraction.
-- Columns that hold what a target sent are json, not jsonb: jsonb refuses \u0000 and lone surrogates.

create table organisations (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  plan text not null,
  state text not null default 'active' check (state in ('active', 'throttled', 'blocked')),
  logo bytea,
  -- When a worker last took a run of it: the queue goes round by this.
  last_claim timestamptz(3),
  created_at timestamptz(3) not null default clock_timestamp()
);
create index organisations_by_turn on organisations (last_claim nulls first, created_at, id);

create table api_keys (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references organisations on delete cascade,
  name text not null,
  scopes text[] not null,
  secret_hash bytea not null unique,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null default clock_timestamp()
);
create index api_keys_of_organisation on api_keys (organisation_id, created_at);

create table domains (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references organisations on delete cascade,
  domain text not null,
  context text,
  token text not null,
  verified_at timestamptz(3),
  verified_until timestamptz(3),
  created_at timestamptz(3) not null default clock_timestamp(),
  unique (organisation_id, domain)
);
create index domains_newest on domains (organisation_id, created_at desc, id desc);

create table runs (
  id uuid primary key,
  organisation_id uuid not null references organisations on delete cascade,
  -- Null once the domain was deleted; the name stays.
  domain_id uuid references domains on delete set null,
  domain text not null,
  tier text not null check (tier in ('passive', 'active')),
  context text,
  options jsonb not null,
  -- Sealed; gone as soon as the run ends.
  credentials bytea,

  status text not null default 'queued' check (status in ('queued', 'leased', 'running', 'done', 'failed', 'canceled')),
  phase text not null default 'queued',
  phase_detail text not null default '',
  progress int not null default 0 check (progress between 0 and 100),
  counts jsonb not null default '{"critical": 0, "high": 0, "medium": 0, "low": 0, "info": 0}',
  grade text,
  error_kind text,
  error_detail text,

  -- Attempts that were started; one handed back on drain does not count.
  attempts int not null default 0,
  -- The fencing token: whoever does not know it can write nothing.
  lease_token uuid,
  lease_until timestamptz(3),
  leased_by text,

  -- The done run of the same domain that findings are compared with, chosen at the first start.
  baseline_run_id uuid,
  -- Last event number given out, and the head of the audit chain.
  event_seq bigint not null default 0,
  audit_seq int not null default 0,
  audit_head text not null default repeat('0', 64),

  created_at timestamptz(3) not null default clock_timestamp(),
  first_leased_at timestamptz(3),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  cancel_requested_at timestamptz(3),

  check ((status in ('leased', 'running')) = (lease_token is not null)),
  check ((status = 'failed') = (error_kind is not null)),
  check ((status in ('done', 'failed', 'canceled')) = (finished_at is not null)),
  check (status <> 'done' or progress = 100),
  check (progress < 100 or status = 'done'),
  check (credentials is null or status in ('queued', 'leased', 'running'))
);
create index runs_newest on runs (organisation_id, created_at desc, id desc);
create index runs_of_domain on runs (organisation_id, domain_id, created_at desc, id desc);
create index runs_by_status on runs (organisation_id, status, created_at desc, id desc);
create index runs_queue on runs (organisation_id, created_at, id) where status = 'queued';
create index runs_leased on runs (organisation_id) where status in ('leased', 'running');
create index runs_lease_end on runs (lease_until) where status in ('leased', 'running');
create index runs_baseline on runs (domain_id, finished_at desc) where status = 'done';

create table idempotency_keys (
  organisation_id uuid not null references organisations on delete cascade,
  key text not null,
  body_hash text not null,
  run_id uuid not null references runs on delete cascade,
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (organisation_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table events (
  run_id uuid not null references runs on delete cascade,
  seq bigint not null,
  type text not null check (type in ('progress', 'audit', 'done')),
  data json not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (run_id, seq)
);

create table run_modules (
  run_id uuid not null references runs on delete cascade,
  module text not null,
  -- Null unless the module completed.
  facts json,
  outcome json not null,
  coverage json not null,
  saved_at timestamptz(3) not null default clock_timestamp(),
  primary key (run_id, module)
);

create table findings (
  id uuid primary key default gen_random_uuid(),
  run_id uuid not null references runs on delete cascade,
  module text not null,
  check_id text not null,
  severity text not null,
  -- 0 is critical, 4 is info: findings are listed in this order.
  rank smallint not null,
  confidence text not null,
  fingerprint text not null,
  status text not null check (status in ('new', 'recurring')),
  -- The whole finding but for its id and status.
  body json not null
);
create index findings_in_order on findings (run_id, rank, check_id, fingerprint, id);
create index findings_of_module on findings (run_id, module);

create table artifacts (
  id uuid primary key,
  run_id uuid not null references runs on delete cascade,
  kind text not null check (kind in
    ('report_pdf', 'findings_json', 'audit_log', 'report_tex', 'evidence', 'branding_logo')),
  -- The module that left the evidence; null for files of the whole run.
  module text,
  filename text not null,
  content_type text not null,
  object_key text not null unique,
  size_bytes bigint,
  sha256 text,
  page_count int,
  watermarked boolean not null default false,
  -- Who reserved it: null for a file made after the run's end.
  lease_token uuid,
  created_at timestamptz(3) not null default clock_timestamp(),
  -- The row is written before the object and shown only once this is set, so no stored object is without a row.
  stored_at timestamptz(3),
  expires_at timestamptz(3),
  deleted_at timestamptz(3),
  check (stored_at is null or (size_bytes is not null and sha256 is not null))
);
create index artifacts_of_run on artifacts (run_id, kind);
create index artifacts_by_expiry on artifacts (expires_at) where deleted_at is null and expires_at is not null;
create index artifacts_unstored on artifacts (created_at) where stored_at is null;
create unique index artifacts_one_audit_log on artifacts (run_id) where kind = 'audit_log' and stored_at is not null;
