-- The newest refresh token of a sign-in by OAuth 2.0 whose provider replaces it at each use (RFC 6749, 6; RFC 9700, 4.14.2), sealed, under the hash of the
-- one that its owner has brought. Identities, and the copies that runs took of them, stay as they are and find it here.
create table refresh_tokens (
  id uuid primary key default gen_random_uuid(),
  domain_id uuid not null references domains on delete cascade,
  lineage text not null,
  token bytea not null,
  changed_at timestamptz not null default clock_timestamp(),
  unique (domain_id, lineage)
);
