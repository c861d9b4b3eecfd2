-- The run looked with a login. One that had none says nothing about what another found behind it.
alter table runs add column signed_in boolean not null default false;
