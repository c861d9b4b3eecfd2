-- Runs are found by part of their name and by the beginning of their id however many there are (src/store/run-list.ts).
-- A name is indexed by its pieces of one, two and three letters, each behind the beginning of its organisation's id, since an
-- index that mixed all organisations would be read through for one of them. No extension is needed for it.
create function name_pieces(organisation uuid, name text) returns text[]
language sql immutable parallel safe cost 10000 as $$
  select coalesce(array_agg(distinct left(organisation::text, 8) || substr(name, at, size)), '{}')
    from generate_series(1, 3) as size, generate_series(1, length(name) - size + 1) as at
$$;
-- What the pieces of a name have to hold for this to be a part of it: as few as tell.
create function sought_pieces(organisation uuid, part text) returns text[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct left(organisation::text, 8) || substr(part, at, least(3, length(part)))), '{}')
    from generate_series(1, greatest(1, length(part) - 2)) as at
$$;
create index domains_by_pieces on domains using gin (name_pieces(organisation_id, domain));
-- Of runs whose domain was removed: the others are found by it.
create index runs_by_pieces on runs using gin (name_pieces(organisation_id, domain)) where domain_id is null;
create index runs_by_id on runs (organisation_id, id) include (created_at);

-- The queue, as before. What is asked for every lease is in functions that keep their plans (plpgsql; of `language sql` each call
-- parses and plans anew, ten times what the statements take), and a hold is asked about in place.
create or replace function is_held(organisation uuid) returns boolean
language plpgsql stable as $$
begin
  return exists (select 1 from holds h where h.organisation_id = organisation or h.organisation_id is null);
end
$$;

-- The data of the event that tells where a run is (src/store/event-log.ts).
create function progress_event(phase text, phase_detail text, progress int, counts jsonb, status text) returns json
language sql immutable as $$
  select json_build_object('phase', phase, 'phase_detail', phase_detail, 'progress', progress, 'counts',
    json_build_object('critical', counts -> 'critical', 'high', counts -> 'high', 'medium', counts -> 'medium',
                      'low', counts -> 'low', 'info', counts -> 'info'), 'status', status)
$$;

-- Leases the run and tells it: who calls it has nothing more to write.
create or replace function lease_run(chosen uuid, worker text, seconds double precision) returns setof runs
language plpgsql as $$
declare
  leased runs;
begin
  update runs r
     set status = 'leased', phase = 'prepare', phase_detail = 'Waiting for the scanner to start', progress = 0,
         lease_token = gen_random_uuid(), lease_until = clock_timestamp() + make_interval(secs => seconds),
         leased_by = worker, first_leased_at = coalesce(r.first_leased_at, clock_timestamp()), event_seq = r.event_seq + 1
   where r.id = chosen
  returning r.* into leased;
  if found then
    insert into events (run_id, seq, type, data)
    values (chosen, leased.event_seq, 'progress',
            progress_event(leased.phase, leased.phase_detail, leased.progress, leased.counts, leased.status));
    perform pg_notify('run_events', chosen || ':' || leased.event_seq);
    return next leased;
  end if;
end
$$;

-- As 0038 has it, for the few domains and organisations that have such a rule; it tells of the waiting itself.
alter function defer_run(uuid) rename to defer_by_rule;
create function defer_run(chosen uuid) returns setof runs
language plpgsql as $$
declare
  deferred runs;
begin
  if not exists (
    select 1 from runs r join organisations o on o.id = r.organisation_id left join domains d on d.id = r.domain_id
     where r.id = chosen and (o.requests_per_day is not null or d.cooldown_minutes > 0 or d.quiet_hours is not null)) then
    return;
  end if;
  select * into deferred from defer_by_rule(chosen);
  if found then
    update runs r set event_seq = r.event_seq + 1 where r.id = chosen returning r.event_seq into deferred.event_seq;
    insert into events (run_id, seq, type, data)
    values (chosen, deferred.event_seq, 'progress',
            progress_event(deferred.phase, deferred.phase_detail, deferred.progress, deferred.counts, deferred.status));
    perform pg_notify('run_events', chosen || ':' || deferred.event_seq);
    return next deferred;
  end if;
end
$$;

create or replace function claim_scanned(worker text, seconds double precision) returns setof runs
language plpgsql as $$
declare
  taken runs;
begin
  update runs r
     set lease_token = gen_random_uuid(), lease_until = clock_timestamp() + make_interval(secs => seconds),
         leased_by = worker, finishes = r.finishes + 1, event_seq = r.event_seq + 1
   where r.id = (
           select s.id from runs s
            where s.scan_end is not null and s.status = 'running' and s.lease_until < clock_timestamp() and s.finishes < 3
            order by s.lease_until
            limit 1
              for update skip locked)
  returning r.* into taken;
  if found then
    insert into events (run_id, seq, type, data)
    values (taken.id, taken.event_seq, 'progress',
            progress_event(taken.phase, taken.phase_detail, taken.progress, taken.counts, taken.status));
    perform pg_notify('run_events', taken.id || ':' || taken.event_seq);
    return next taken;
  end if;
end
$$;

-- Which organisations have a run started alone in the queue, so that those that have none, however many, are not looked through
-- for each lease. True at the latest when such a run is committed; false again some time after the last was taken (settle_waiting).
alter table organisations add column waiting boolean not null default false;
-- Claims come faster than a millisecond each: by times of that precision the turn would go by age.
alter table organisations alter column last_claim type timestamptz;
create index organisations_waiting on organisations (last_claim nulls first, created_at, id) where waiting;

-- The lock is shared with whoever starts or takes runs, and not with settle_waiting: what that one sees is all there is.
create function organisation_waits() returns trigger
language plpgsql as $$
begin
  perform 1 from organisations where id = new.organisation_id for key share;
  update organisations set waiting = true where id = new.organisation_id and not waiting;
  return null;
end
$$;
create trigger organisation_waits after insert on runs
  for each row when (new.status = 'queued' and new.batch_id is null and new.agent_id is null)
  execute function organisation_waits();
create trigger organisation_waits_again after update of status on runs
  for each row when (new.status = 'queued' and old.status <> 'queued' and new.batch_id is null and new.agent_id is null)
  execute function organisation_waits();
update organisations o set waiting = true
 where exists (select 1 from runs r where r.organisation_id = o.id and r.status = 'queued' and r.batch_id is null and r.agent_id is null);

create function settle_waiting() returns void
language plpgsql as $$
declare
  settled uuid[];
begin
  select array_agg(id) into settled from (
    select o.id from organisations o
     where o.waiting
       and not exists (select 1 from runs r where r.organisation_id = o.id and r.status = 'queued' and r.batch_id is null and r.agent_id is null)
       for update skip locked) as empty;
  update organisations o set waiting = false
   where o.id = any (settled)
     and not exists (select 1 from runs r where r.organisation_id = o.id and r.status = 'queued' and r.batch_id is null and r.agent_id is null);
end
$$;

-- As before, of the organisations that wait. The first in the queue is asked for in its order, so that no plan reads all that is queued.
create or replace function claim_run(worker text, seconds double precision, caps jsonb, light boolean default false) returns setof runs
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
     where o.waiting
       and o.state <> 'blocked'
       and not exists (select 1 from holds h where h.organisation_id = o.id or h.organisation_id is null)
       and o.id <> all (passed)
       and exists (select 1 from (
             select 1 from runs r where r.organisation_id = o.id and r.status = 'queued' and r.batch_id is null and r.agent_id is null
                and (r.not_before is null or r.not_before <= clock_timestamp())
                and (not light or is_light(r.tier, r.options))
              order by r.created_at, r.id limit 1) as first)
       and (select count(*) from runs r where r.organisation_id = o.id and r.status in ('leased', 'running'))
           < coalesce((caps ->> o.plan)::int, 1)
     order by o.last_claim nulls first, o.created_at, o.id
     limit 1
       for no key update of o skip locked;

    if not found and passed = '{}' then
      -- Every candidate is being claimed from right now. Waiting for one is safe: nothing is locked yet.
      select o.id, coalesce((caps ->> o.plan)::int, 1) as cap into org
        from organisations o
       where o.waiting
         and o.state <> 'blocked'
         and not exists (select 1 from holds h where h.organisation_id = o.id or h.organisation_id is null)
         and exists (select 1 from (
               select 1 from runs r where r.organisation_id = o.id and r.status = 'queued' and r.batch_id is null and r.agent_id is null
                  and (r.not_before is null or r.not_before <= clock_timestamp())
                  and (not light or is_light(r.tier, r.options))
                order by r.created_at, r.id limit 1) as first)
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
    if held < org.cap and not exists (select 1 from holds h where h.organisation_id = org.id or h.organisation_id is null) then
      select r.id into chosen from runs r
       where r.organisation_id = org.id and r.status = 'queued' and r.batch_id is null and r.agent_id is null
         and (r.not_before is null or r.not_before <= clock_timestamp())
         and (not light or is_light(r.tier, r.options))
       order by r.created_at, r.id
       limit 1
         for update skip locked;
      if found then
        return query select * from defer_run(chosen);
        if found then
          return;
        end if;
        update organisations set last_claim = clock_timestamp() where id = org.id;
        return query select * from lease_run(chosen, worker, seconds);
        return;
      end if;
    end if;
    passed := passed || org.id;
  end loop;
end
$$;

-- Each gives one row or none. Taken for a thousand, all organisations are read and hashed to be joined with them.
alter function claim_run(text, double precision, jsonb, boolean) rows 1;
alter function claim_agent_run(uuid, text, double precision, jsonb) rows 1;
alter function claim_scanned(text, double precision) rows 1;
alter function claim_batch(jsonb, boolean) rows 1;
alter function lease_run(uuid, text, double precision) rows 1;
alter function defer_run(uuid) rows 1;
alter function defer_by_rule(uuid) rows 1;

-- Requests of one key that come together are counted together: of those that asked of a bucket at the last look, how many got none.
alter table rate_limits add column turned_away double precision not null default 0;

-- The first half of 0042: what is there will be one part, of all events before a month's beginning that is a week away at least.
-- Held for what is written from now on; whether it holds for what is there is asked without keeping anybody from writing.
do $$
begin
  execute format('alter table events add constraint events_before_months check (created_at < %L::timestamptz) not valid',
    (date_trunc('month', (clock_timestamp() + interval '7 days') at time zone 'UTC') + interval '1 month') at time zone 'UTC');
end
$$;
