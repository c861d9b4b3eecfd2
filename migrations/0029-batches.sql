-- Many domains, one set of options. What waits is no run yet: an item becomes one when a worker draws it, in the order of `n`,
-- so that 100,000 of them are neither in the queue nor in the lists, and a pause, a resume and a cancel change one row.
create table batches (
  id uuid primary key,
  organisation_id uuid not null references organisations on delete cascade,
  -- As in the HTTP interface.
  options jsonb not null,
  state text not null default 'running' check (state in ('running', 'paused', 'canceled', 'done')),
  total int not null check (total > 0),
  -- Null while the items are being written; nothing is drawn before.
  prepared_at timestamptz(3),
  -- Items below this number have become runs, or were refused.
  drawn int not null default 0 check (drawn between 0 and total),
  refused int not null default 0,
  -- Of its runs, by how they ended, and how many units of the quota they gave back.
  done int not null default 0,
  failed int not null default 0,
  canceled int not null default 0,
  given_back int not null default 0,
  -- When a worker last drew of it: the batches of an organisation go round by this.
  last_draw timestamptz(3),
  created_at timestamptz(3) not null default clock_timestamp(),
  finished_at timestamptz(3),
  check (refused + done + failed + canceled <= drawn),
  check (state <> 'done' or finished_at is not null)
);
create index batches_newest on batches (organisation_id, created_at desc, id desc);
create index batches_running on batches (organisation_id) where state = 'running';
create index batches_unprepared on batches (created_at) where prepared_at is null;

-- No keys to domains and runs: a domain may be removed while it waits, and 100,000 checks of them cost seconds.
create table batch_items (
  batch_id uuid not null references batches on delete cascade,
  n int not null,
  domain_id uuid not null,
  domain text not null,
  run_id uuid,
  -- Why it became no run.
  refusal text,
  primary key (batch_id, n)
);

alter table runs add column batch_id uuid references batches on delete set null;
create index runs_of_batch on runs (batch_id) where batch_id is not null;
-- Runs of batches whose worker was lost or stopped.
create index runs_returned on runs (organisation_id, created_at, id) where status = 'queued' and batch_id is not null;

alter table idempotency_keys alter column run_id drop not null;
alter table idempotency_keys add column batch_id uuid references batches on delete cascade;
alter table idempotency_keys add check ((run_id is null) <> (batch_id is null));

-- A batch is over when all that was drawn has ended, and nothing more is to be drawn.
create function settle_batch() returns trigger
language plpgsql as $$
begin
  if new.finished_at is null and (new.state = 'canceled' or new.drawn = new.total)
     and new.refused + new.done + new.failed + new.canceled = new.drawn then
    new.finished_at := clock_timestamp();
    if new.state <> 'canceled' then
      new.state := 'done';
    end if;
  end if;
  return new;
end
$$;
create trigger settle_batch before update on batches for each row execute function settle_batch();

create function count_in_batch() returns trigger
language plpgsql as $$
begin
  update batches
     set done = done + (new.status = 'done')::int,
         failed = failed + (new.status = 'failed')::int,
         canceled = canceled + (new.status = 'canceled')::int,
         given_back = given_back
           + (new.status = 'failed' or (new.status = 'canceled' and new.first_leased_at is null))::int
   where id = new.batch_id;
  return null;
end
$$;
create trigger count_in_batch after update of status on runs
  for each row when (new.batch_id is not null and old.finished_at is null and new.finished_at is not null)
  execute function count_in_batch();

create function batch_has_ended() returns trigger
language plpgsql as $$
begin
  perform notify_receivers(new.organisation_id, 'batch.finished', jsonb_build_object(
    'id', new.id, 'state', new.state,
    'counts', jsonb_build_object(
      'total', new.total, 'waiting', 0, 'running', 0, 'done', new.done, 'failed', new.failed,
      'canceled', new.canceled + new.total - new.drawn, 'refused', new.refused),
    'created_at', rfc3339(new.created_at), 'finished_at', rfc3339(new.finished_at)));
  return null;
end
$$;
create trigger batch_has_ended after update on batches
  for each row when (old.finished_at is null and new.finished_at is not null)
  execute function batch_has_ended();

create function lease_run(chosen uuid, worker text, seconds double precision) returns setof runs
language sql as $$
  update runs r
     set status = 'leased', phase = 'prepare', phase_detail = 'Waiting for the scanner to start', progress = 0,
         lease_token = gen_random_uuid(), lease_until = clock_timestamp() + make_interval(secs => seconds),
         leased_by = worker, first_leased_at = coalesce(r.first_leased_at, clock_timestamp())
   where r.id = chosen
  returning r.*
$$;

-- Takes the next run that was started alone: of the organisation whose turn is longest ago among those below their limit, its
-- oldest. `caps` maps a plan to its concurrent runs; an unknown plan gets one.
--
-- The limit is strict although many workers claim at once: the organisation's row is locked first, and its leased runs are
-- counted again in a later statement, which sees what the previous holder of the lock committed. A count in the locking
-- statement itself would see the past.
-- A hold is asked about twice: once to choose, and once more after the organisation's row is locked, since whoever holds the
-- queue takes that lock first.
create or replace function claim_run(worker text, seconds double precision, caps jsonb) returns setof runs
language plpgsql as $$
declare
  passed uuid[] := '{}';
  org record;
  chosen uuid;
  held int;
begin
  loop
    select o.id, coalesce((caps ->> o.plan)::int, 1) as cap into org
      from organisations o
     where o.state <> 'blocked'
       and not is_held(o.id)
       and o.id <> all (passed)
       and exists (select 1 from runs r where r.organisation_id = o.id and r.status = 'queued' and r.batch_id is null)
       and (select count(*) from runs r where r.organisation_id = o.id and r.status in ('leased', 'running'))
           < coalesce((caps ->> o.plan)::int, 1)
     order by o.last_claim nulls first, o.created_at, o.id
     limit 1
       for no key update of o skip locked;

    if not found and passed = '{}' then
      -- Every candidate is being claimed from right now. Waiting for one is safe: nothing is locked yet.
      select o.id, coalesce((caps ->> o.plan)::int, 1) as cap into org
        from organisations o
       where o.state <> 'blocked'
         and not is_held(o.id)
         and exists (select 1 from runs r where r.organisation_id = o.id and r.status = 'queued' and r.batch_id is null)
         and (select count(*) from runs r where r.organisation_id = o.id and r.status in ('leased', 'running'))
             < coalesce((caps ->> o.plan)::int, 1)
       order by o.last_claim nulls first, o.created_at, o.id
       limit 1
         for no key update of o;
    end if;
    if not found then
      return;
    end if;

    select count(*) into held from runs r where r.organisation_id = org.id and r.status in ('leased', 'running');
    if held < org.cap and not is_held(org.id) then
      select r.id into chosen from runs r
       where r.organisation_id = org.id and r.status = 'queued' and r.batch_id is null
       order by r.created_at, r.id
       limit 1
         for update skip locked;
      if found then
        update organisations set last_claim = clock_timestamp() where id = org.id;
        return query select * from lease_run(chosen, worker, seconds);
        return;
      end if;
    end if;
    passed := passed || org.id;
  end loop;
end
$$;

-- Whether a batch that goes on has something to be taken.
create function has_next(b batches) returns boolean
language sql stable as $$
  select b.drawn < b.total and b.prepared_at is not null
    or exists (select 1 from runs r where r.batch_id = b.id and r.status = 'queued')
$$;

-- The same for what batches bring, by the same turns and limits: a run that came back, else the next item, whose run the
-- caller makes in the same transaction. The batches of an organisation take turns.
create function claim_batch(caps jsonb) returns table (returned_run uuid, drawn_batch uuid, drawn_item int)
language plpgsql as $$
declare
  passed uuid[] := '{}';
  org record;
  held int;
begin
  loop
    select o.id, coalesce((caps ->> o.plan)::int, 1) as cap into org
      from organisations o
     where o.state <> 'blocked'
       and not is_held(o.id)
       and o.id <> all (passed)
       and o.id in (select b.organisation_id from batches b where b.state = 'running' and has_next(b))
       and (select count(*) from runs r where r.organisation_id = o.id and r.status in ('leased', 'running'))
           < coalesce((caps ->> o.plan)::int, 1)
     order by o.last_claim nulls first, o.created_at, o.id
     limit 1
       for no key update of o skip locked;

    if not found and passed = '{}' then
      -- As in claim_run.
      select o.id, coalesce((caps ->> o.plan)::int, 1) as cap into org
        from organisations o
       where o.state <> 'blocked'
         and not is_held(o.id)
         and o.id in (select b.organisation_id from batches b where b.state = 'running' and has_next(b))
         and (select count(*) from runs r where r.organisation_id = o.id and r.status in ('leased', 'running'))
             < coalesce((caps ->> o.plan)::int, 1)
       order by o.last_claim nulls first, o.created_at, o.id
       limit 1
         for no key update of o;
    end if;
    if not found then
      return;
    end if;

    select count(*) into held from runs r where r.organisation_id = org.id and r.status in ('leased', 'running');
    if held < org.cap and not is_held(org.id) then
      select r.id into returned_run from runs r join batches b on b.id = r.batch_id
       where r.organisation_id = org.id and r.status = 'queued' and r.batch_id is not null and b.state = 'running'
       order by r.created_at, r.id
       limit 1
         for update of r skip locked;
      if not found then
        update batches b set drawn = b.drawn + 1, last_draw = clock_timestamp()
         where b.id = (
                 select c.id from batches c
                  where c.organisation_id = org.id and c.state = 'running' and c.drawn < c.total
                    and c.prepared_at is not null
                  order by c.last_draw nulls first, c.created_at, c.id
                  limit 1
                    for update)
        returning b.id, b.drawn - 1 into drawn_batch, drawn_item;
      end if;
      if found then
        update organisations set last_claim = clock_timestamp() where id = org.id;
        return next;
        return;
      end if;
    end if;
    passed := passed || org.id;
  end loop;
end
$$;
