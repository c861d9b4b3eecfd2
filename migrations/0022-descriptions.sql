-- Descriptions of a domain's interfaces, as people have brought them: what active runs ask. Without hosts and credentials.
create table domain_descriptions (
  id uuid primary key default gen_random_uuid(),
  domain_id uuid not null references domains on delete cascade,
  name text not null,
  kind text not null,
  title text not null,
  described int not null,
  operation_count int not null,
  -- As in contract/described.ts.
  operations json not null,
  refused json not null,
  left_out json not null,
  created_by text not null,
  created_at timestamptz(3) not null default clock_timestamp()
);
create index domain_descriptions_of on domain_descriptions (domain_id, created_at);
