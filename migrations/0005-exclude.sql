-- Patterns of addresses that no run of the domain asks for.
alter table domains add column exclude text[] not null default '{}';
