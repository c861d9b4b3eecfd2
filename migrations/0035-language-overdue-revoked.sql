-- The language in which an organisation is written to, and in which its reports are made by themselves.
alter table organisations add column language text not null default 'en' check (language in ('en', 'de'));

-- The due day of which it was told that it has passed; null: of none.
alter table problems add column overdue_told date;

-- A key that somebody else may have: what it has signed proves nothing any more. One that signs is retired first.
alter table signing_keys add column revoked_at timestamptz(3);
alter table signing_keys add column revoked_because text;
alter table signing_keys add check ((revoked_at is null) = (revoked_because is null));
alter table signing_keys add check (revoked_at is null or retired_at is not null);
