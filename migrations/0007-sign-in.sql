-- People who sign in by OpenID Connect. Issuer and subject name a person for good; the name and the address may change.
create table members (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references organisations on delete cascade,
  issuer text not null,
  subject text not null,
  name text not null,
  email text,
  role text not null check (role in ('owner', 'member', 'reader')),
  created_at timestamptz(3) not null default clock_timestamp(),
  last_seen_at timestamptz(3) not null default clock_timestamp(),
  unique (organisation_id, issuer, subject)
);

-- Browsers that are signed in, by a key or as a member. Only the hash of the cookie is kept.
create table sessions (
  id uuid primary key default gen_random_uuid(),
  token_hash bytea not null unique,
  organisation_id uuid not null references organisations on delete cascade,
  key_id uuid references api_keys on delete cascade,
  member_id uuid references members on delete cascade,
  created_at timestamptz(3) not null default clock_timestamp(),
  last_used_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null,
  check (num_nonnulls(key_id, member_id) = 1)
);
create index sessions_by_expiry on sessions (expires_at);

-- Who did what. The names are those of then: a key or a person that is gone stays readable.
create table activity (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references organisations on delete cascade,
  at timestamptz(3) not null default clock_timestamp(),
  actor_kind text not null check (actor_kind in ('key', 'member')),
  actor_id uuid not null,
  actor_name text not null,
  action text not null,
  subject text not null
);
create index activity_newest on activity (organisation_id, at desc, id desc);

-- A key that could do everything can do what is new.
update api_keys
   set scopes = scopes || '{organisation:read,organisation:write}'
 where scopes @> '{scans:read,scans:write,artifacts:read,domains:read,domains:write,webhooks:write}'
   and not scopes @> '{organisation:write}';
