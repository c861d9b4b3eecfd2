-- When the last audit line of the run was, by this database's clock: the next one is not before it.
alter table runs add column audit_at timestamptz(3);
