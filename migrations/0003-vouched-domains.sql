-- The operator's word for a domain is not a proof: it needs none, and no failed check takes it away.
alter table domains add column vouched boolean not null default false;
update domains set vouched = true where verified_until - verified_at > interval '1 year';
