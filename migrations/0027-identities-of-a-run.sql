-- As whom a run looks, in the order it was told: the first is the run's own, whose credentials are those of the run; the others are
-- asked beside it where it matters who asks. They end with the credentials of the run, however that comes about.
create table run_identities (
  id uuid primary key default gen_random_uuid(),
  run_id uuid not null references runs on delete cascade,
  place int not null,
  name text not null,
  role text not null,
  credentials bytea,
  unique (run_id, place)
);

create function forget_run_identities() returns trigger language plpgsql as $$
begin
  delete from run_identities where run_id = new.id;
  return null;
end $$;

create trigger runs_forget_identities after update of credentials on runs
  for each row when (old.credentials is not null and new.credentials is null)
  execute function forget_run_identities();
