-- Requests a second that runs of the domain send at most; null: as many as the operator allows.
alter table domains add column requests_per_second int check (requests_per_second > 0);

-- The login with which runs of a domain look at what lies behind it, where they ask for it.
create table domain_logins (
  domain_id uuid primary key references domains on delete cascade,
  -- Sealed as the credentials of a run, into which it is copied as it is.
  credentials bytea not null,
  -- 'cookie', 'header'
  kinds text[] not null,
  -- Path by which the login is tried out.
  page text not null,
  set_by text not null,
  set_at timestamptz(3) not null default clock_timestamp(),
  -- The last look whether it works; a new login begins without one.
  test_id uuid,
  test_asked_at timestamptz(3),
  test_claimed_at timestamptz(3),
  test_finished_at timestamptz(3),
  test_answer jsonb
);
create index domain_logins_asked on domain_logins (test_asked_at) where test_asked_at is not null and test_claimed_at is null;
