-- What a run takes of a machine: one that sends no probe and opens no browser mostly waits for answers (src/worker/places.ts).
create function is_light(tier text, options jsonb) returns boolean
language sql immutable as $$
  select tier = 'passive' and not coalesce((options ->> 'privacy')::boolean, true)
$$;

-- As before, but for runs whose time has not come; with `light` those runs alone. Workers of before call it without.
drop function claim_run(text, double precision, jsonb);
create function claim_run(worker text, seconds double precision, caps jsonb, light boolean default false) returns setof runs
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
       and exists (select 1 from runs r where r.organisation_id = o.id and r.status = 'queued' and r.batch_id is null and r.agent_id is null
                      and (r.not_before is null or r.not_before <= clock_timestamp())
         and (not light or is_light(r.tier, r.options)))
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
         and exists (select 1 from runs r where r.organisation_id = o.id and r.status = 'queued' and r.batch_id is null and r.agent_id is null
                        and (r.not_before is null or r.not_before <= clock_timestamp())
         and (not light or is_light(r.tier, r.options)))
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


drop function claim_batch(jsonb);
-- As before, without runs of batches whose time has not come; the caller defers what may not begin.
create function claim_batch(caps jsonb, light boolean default false) returns table (returned_run uuid, drawn_batch uuid, drawn_item int)
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
       and o.id in (select b.organisation_id from batches b where b.state = 'running' and has_next(b) and (not light or is_light(case when (b.options ->> 'active')::boolean then 'active' else 'passive' end, b.options::jsonb)))
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
         and o.id in (select b.organisation_id from batches b where b.state = 'running' and has_next(b) and (not light or is_light(case when (b.options ->> 'active')::boolean then 'active' else 'passive' end, b.options::jsonb)))
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
         and (r.not_before is null or r.not_before <= clock_timestamp())
         and (not light or is_light(r.tier, r.options))
       order by r.created_at, r.id
       limit 1
         for update of r skip locked;
      if not found then
        update batches b set drawn = b.drawn + 1, last_draw = clock_timestamp()
         where b.id = (
                 select c.id from batches c
                  where c.organisation_id = org.id and c.state = 'running' and c.drawn < c.total
                    and c.prepared_at is not null
                    and (not light or is_light(case when (c.options ->> 'active')::boolean then 'active' else 'passive' end, c.options::jsonb))
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
