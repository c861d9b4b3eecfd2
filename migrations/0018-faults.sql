-- Faults of the scanner by the module or task they happened in, since this table is there: figures of all processes together.
create table scanner_faults (
  module text primary key,
  faults bigint not null,
  last_id text not null,
  last_at timestamptz(3) not null default clock_timestamp()
);

-- Scan processes that died, each with the modules that were at work: which of them is to blame shows at the second death.
create table child_deaths (
  run_id uuid not null references runs on delete cascade,
  number int not null,
  attempt int not null,
  modules text[] not null,
  detail text not null,
  at timestamptz(3) not null default clock_timestamp(),
  primary key (run_id, number)
);

-- How often a message was taken up without an end: each time may have ended the process that took it.
alter table deliveries add column taken int not null default 0;

-- When the proof of a domain was last asked for by itself, whatever came of it.
alter table domains add column rechecked_at timestamptz(3);
