-- Which run uses what part of the pace of an address, for a few seconds. After a crash nobody misses them.
create unlogged table paces (
  address text not null,
  run_id uuid not null references runs on delete cascade,
  -- 0: it waits for one.
  share real not null check (share between 0 and 1),
  until timestamptz not null,
  primary key (address, run_id)
);
create index paces_of_run on paces (run_id);
