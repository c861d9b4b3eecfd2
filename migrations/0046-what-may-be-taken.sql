-- What a worker that has a place would get at this moment, so that it claims that alone: of a run or a batch whose organisation is at
-- its limit or under a hold, and of runs that an agent has to take, it gets nothing, however many wait. The conditions are those of
-- claim_run, claim_scanned and claim_batch, which ask them again under their locks.
create function what_waits(caps jsonb, light boolean, out alone boolean, out scanned boolean, out batch boolean)
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  alone := exists (
    select 1 from organisations o
     where o.waiting
       and o.state <> 'blocked'
       and not exists (select 1 from holds h where h.organisation_id = o.id or h.organisation_id is null)
       and exists (select 1 from (
             select 1 from runs r where r.organisation_id = o.id and r.status = 'queued' and r.batch_id is null and r.agent_id is null
                and (r.not_before is null or r.not_before <= clock_timestamp())
                and (not light or is_light(r.tier, r.options))
              order by r.created_at, r.id limit 1) as first)
       and (select count(*) from runs r where r.organisation_id = o.id and r.status in ('leased', 'running'))
           < coalesce((caps ->> o.plan)::int, 1));
  scanned := exists (
    select 1 from runs s
     where s.scan_end is not null and s.status = 'running' and s.lease_until < clock_timestamp() and s.finishes < 3);
  batch := exists (
    select 1 from batches b join organisations o on o.id = b.organisation_id
     where b.state = 'running' and has_next(b)
       and (not light or is_light(case when (b.options ->> 'active')::boolean then 'active' else 'passive' end, b.options::jsonb))
       and o.state <> 'blocked'
       and not is_held(o.id)
       and (select count(*) from runs r where r.organisation_id = o.id and r.status in ('leased', 'running'))
           < coalesce((caps ->> o.plan)::int, 1));
end
$$;
