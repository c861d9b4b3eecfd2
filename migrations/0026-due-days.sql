-- Days that a problem of a severity has until it is due, as the organisation wants it; without a severity there is no day.
alter table organisations add column due_days jsonb not null default '{}';
