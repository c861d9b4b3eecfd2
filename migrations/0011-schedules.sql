-- Runs that start by themselves. `next_at` is moved in the transaction that makes the run: each firing happens once,
-- however many workers look.
create table schedules (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references organisations on delete cascade,
  domain_id uuid not null references domains on delete cascade,
  -- As in the HTTP interface: rhythm, time zone, quiet hours, jitter.
  timing jsonb not null,
  options jsonb not null,
  paused_at timestamptz(3),
  next_at timestamptz(3) not null,
  last_at timestamptz(3),
  last_run_id uuid,
  -- Why the last firing started no run; null when it did.
  last_refusal text,
  created_at timestamptz(3) not null default clock_timestamp()
);
create index schedules_due on schedules (next_at) where paused_at is null;
create index schedules_of_organisation on schedules (organisation_id, created_at desc, id desc);
create index schedules_of_domain on schedules (domain_id);
