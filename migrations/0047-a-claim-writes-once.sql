-- A claim for less: what it writes is one statement in place of three and a function within it, and whether the domain of the run has a
-- rule of when it may run is one look by its key. As a condition of the query it could be planned as a look through all domains,
-- where statistics of them are missing or old.
create or replace function claim_run(worker text, seconds double precision, caps jsonb, light boolean default false) returns setof runs
language plpgsql rows 1 set plan_cache_mode = force_generic_plan set enable_sort = off as $$
declare
  passed uuid[] := '{}';
  org record;
  chosen record;
begin
  loop
    select o.id, coalesce((caps ->> o.plan)::int, 1) as cap, o.requests_per_day is not null as rationed into org
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
      select o.id, coalesce((caps ->> o.plan)::int, 1) as cap, o.requests_per_day is not null as rationed into org
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

    select r.id,
           org.rationed or coalesce((
             select d.cooldown_minutes > 0 or d.quiet_hours is not null from domains d where d.id = r.domain_id), false) as ruled
      into chosen
      from runs r
     where r.organisation_id = org.id and r.status = 'queued' and r.batch_id is null and r.agent_id is null
       and (r.not_before is null or r.not_before <= clock_timestamp())
       and (not light or is_light(r.tier, r.options))
       and (select count(*) from runs l where l.organisation_id = org.id and l.status in ('leased', 'running')) < org.cap
       and not exists (select 1 from holds h where h.organisation_id = org.id or h.organisation_id is null)
     order by r.created_at, r.id
     limit 1
       for update skip locked;
    if found then
      if chosen.ruled then
        return query select * from defer_run(chosen.id);
        if found then
          return;
        end if;
      end if;
      return query
        with turn as (
          update organisations set last_claim = clock_timestamp() where id = org.id
        ), leased as (
          update runs r
             set status = 'leased', phase = 'prepare', phase_detail = 'Waiting for the scanner to start', progress = 0,
                 lease_token = gen_random_uuid(), lease_until = clock_timestamp() + make_interval(secs => seconds),
                 leased_by = worker, first_leased_at = coalesce(r.first_leased_at, clock_timestamp()), event_seq = r.event_seq + 1
           where r.id = chosen.id
          returning r.*
        ), told as (
          insert into events (run_id, seq, type, data)
          select l.id, l.event_seq, 'progress', progress_event(l.phase, l.phase_detail, l.progress, l.counts, l.status) from leased l
          returning pg_notify('run_events', run_id || ':' || seq)
        )
        select l.* from leased l;
      return;
    end if;
    passed := passed || org.id;
  end loop;
end
$$;