-- What was erased for good, and what of it still lies in the storage. Nothing refers to what is gone: `domain` null is the whole organisation.
create table erasures (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null,
  organisation text not null,
  domain text,
  asked_by text not null,
  asked_at timestamptz(3) not null default clock_timestamp(),
  -- Rows by what they were; files and their bytes.
  counts json not null,
  -- Of the month in which it was asked for: what was used stays used.
  units int not null,
  -- DSSE envelope, once the last file is gone.
  receipt text,
  ended_at timestamptz(3),
  check ((receipt is null) = (ended_at is null))
);
create index erasures_of_organisation on erasures (organisation_id, asked_at desc, id desc);
create index erasures_to_end on erasures (asked_at) where ended_at is null;

create table erased_files (
  erasure_id uuid not null references erasures on delete cascade,
  object_key text not null,
  primary key (erasure_id, object_key)
);
