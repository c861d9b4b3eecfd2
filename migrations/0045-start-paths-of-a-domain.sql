-- Where a site begins beside its start page: an application below a folder that no page of the site leads to.
alter table domains add column start_paths text[] not null default '{}';
