-- As whom runs of a domain look: the login that was stored with it is the identity "default".
alter table domain_logins rename to domain_identities;
alter index domain_logins_asked rename to domain_identities_asked;
alter table domain_identities drop constraint domain_logins_pkey;
alter table domain_identities
  add column id uuid primary key default gen_random_uuid(),
  add column name text not null default 'default',
  add column role text not null default '',
  -- As in contract/sign-in.ts; null where the page of the login is compared.
  add column proof jsonb;
alter table domain_identities alter column name drop default;
-- 'cookie', 'header', 'steps', 'request', 'oauth2' first; what goes with it, such as 'totp', behind.
alter table domain_identities rename column kinds to parts;
alter table domain_identities add unique (domain_id, name);

-- Hosts elsewhere at which identities of the domain sign in.
alter table domains add column sign_in_hosts text[] not null default '{}';
