-- What a domain is to its owner: on a system for tests an active run may write.
alter table domains add column environment text not null default 'production' check (environment in ('production', 'test'));
-- The domain's, when the run was made.
alter table runs add column environment text not null default 'production' check (environment in ('production', 'test'));
-- Crawls, and says what it would send. It takes no unit.
alter table runs add column dry_run boolean not null default false;
