-- The keys by which the installation signs what it hands out: one at a time. Of a retired one the public half is left.
create table signing_keys (
  id uuid primary key default gen_random_uuid(),
  -- SPKI in DER (RFC 8410), and the SHA-256 of it in hex.
  public_key bytea not null,
  fingerprint text not null unique,
  -- Sealed.
  private_key bytea,
  created_at timestamptz(3) not null default clock_timestamp(),
  retired_at timestamptz(3),
  check ((retired_at is null) = (private_key is not null))
);
create unique index signing_keys_one on signing_keys ((true)) where retired_at is null;

alter table artifacts drop constraint artifacts_kind_check;
alter table artifacts add constraint artifacts_kind_check check (kind in
  ('report_pdf', 'findings_json', 'audit_log', 'report_tex', 'evidence', 'branding_logo', 'report_html', 'report_md', 'signature'));

-- From when on a version may be signed by whoever looks, once its run is done and the version is made; null: it is signed, or
-- nothing is left of it to sign. Who signs has a token, and writes nothing once that is another's.
alter table reports add column sign_due_at timestamptz(3) default clock_timestamp();
alter table reports add column sign_token uuid;
update reports p set sign_due_at = null
 where not exists (
   select 1 from artifacts a
    where a.run_id = p.run_id and a.kind = 'findings_json' and a.version = p.version and a.stored_at is not null
      and a.deleted_at is null);
create index reports_unsigned on reports (sign_due_at) where sign_due_at is not null;
