-- Takes the next run for a worker: the organisation whose turn is longest ago among those below their limit, then its
-- oldest run. `caps` maps a plan to its concurrent runs; an unknown plan gets one.
--
-- The limit is strict although many workers claim at once: the organisation's row is locked first, and its leased runs are
-- counted again in a later statement, which sees what the previous holder of the lock committed. A count in the locking
-- statement itself would see the past.
create function claim_run(worker text, seconds double precision, caps jsonb) returns setof runs
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
       and o.id <> all (passed)
       and exists (select 1 from runs r where r.organisation_id = o.id and r.status = 'queued')
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
         and exists (select 1 from runs r where r.organisation_id = o.id and r.status = 'queued')
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
    if held < org.cap then
      select r.id into chosen from runs r
       where r.organisation_id = org.id and r.status = 'queued'
       order by r.created_at, r.id
       limit 1
         for update skip locked;
      if found then
        update organisations set last_claim = clock_timestamp() where id = org.id;
        return query
          update runs r
             set status = 'leased', phase = 'prepare', phase_detail = 'Waiting for the scanner to start', progress = 0,
                 lease_token = gen_random_uuid(), lease_until = clock_timestamp() + make_interval(secs => seconds),
                 leased_by = worker, first_leased_at = coalesce(r.first_leased_at, clock_timestamp())
           where r.id = chosen
          returning r.*;
        return;
      end if;
    end if;
    passed := passed || org.id;
  end loop;
end
$$;
