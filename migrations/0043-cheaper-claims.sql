-- The queue and what an end tells, as before, for less: half of a claim's time was spent on planning and on starting statements.
-- None of their plans depends on whose turn it is, so each is made once a connection.

-- Taken into the statement that asks for it. A function that is said to be more than what it is made of runs as one of its own.
create or replace function progress_event(phase text, phase_detail text, progress int, counts jsonb, status text) returns json
language sql stable as $$
  select json_build_object('phase', phase, 'phase_detail', phase_detail, 'progress', progress, 'counts',
    json_build_object('critical', counts -> 'critical', 'high', counts -> 'high', 'medium', counts -> 'medium',
                      'low', counts -> 'low', 'info', counts -> 'info'), 'status', status)
$$;

create or replace function lease_run(chosen uuid, worker text, seconds double precision) returns setof runs
language plpgsql rows 1 set plan_cache_mode = force_generic_plan as $$
begin
  return query
    with leased as (
      update runs r
         set status = 'leased', phase = 'prepare', phase_detail = 'Waiting for the scanner to start', progress = 0,
             lease_token = gen_random_uuid(), lease_until = clock_timestamp() + make_interval(secs => seconds),
             leased_by = worker, first_leased_at = coalesce(r.first_leased_at, clock_timestamp()), event_seq = r.event_seq + 1
       where r.id = chosen
      returning r.*
    ), told as (
      insert into events (run_id, seq, type, data)
      select l.id, l.event_seq, 'progress', progress_event(l.phase, l.phase_detail, l.progress, l.counts, l.status) from leased l
      returning pg_notify('run_events', run_id || ':' || seq)
    )
    select l.* from leased l;
end
$$;

-- A run whose domain or organisation has no rule of when it may run is not asked about; all that must hold once the organisation
-- is locked is asked at once, by a statement that sees what the last holder of the lock has done. Organisations are walked through in
-- the order of their turns: a plan that sorts asks each of them first, and statistics of a queue are never true for long.
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
           org.rationed or exists (
             select 1 from domains d where d.id = r.domain_id and (d.cooldown_minutes > 0 or d.quiet_hours is not null)) as ruled
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
      update organisations set last_claim = clock_timestamp() where id = org.id;
      return query select * from lease_run(chosen.id, worker, seconds);
      return;
    end if;
    passed := passed || org.id;
  end loop;
end
$$;

-- Nothing is put together that nobody has asked to be told.
create function has_receivers(org uuid, kinds text[]) returns boolean
language sql stable as $$
  select exists (select 1 from webhooks w where w.organisation_id = org and w.events && kinds and w.paused_at is null)
      or exists (select 1 from mail_subscriptions m where m.organisation_id = org and m.events && kinds)
$$;

create or replace function notify_receivers(org uuid, kind text, data jsonb) returns void
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  message json;
begin
  if not has_receivers(org, array[kind]) then
    return;
  end if;
  message := json_build_object('type', kind, 'timestamp', rfc3339(clock_timestamp()), 'data', data);
  insert into deliveries (webhook_id, event, payload, next_attempt_at)
    select w.id, kind, message, clock_timestamp() from webhooks w
     where w.organisation_id = org and kind = any (w.events) and w.paused_at is null;
  insert into deliveries (mail_subscription_id, event, payload, next_attempt_at)
    select m.id, kind, message, clock_timestamp() from mail_subscriptions m
     where m.organisation_id = org and kind = any (m.events);
  perform pg_notify('deliveries', '');
end
$$;

create or replace function run_has_ended() returns trigger
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  data jsonb;
  fresh int;
begin
  if not has_receivers(new.organisation_id, '{scan.finished,scan.new_critical}') then
    return null;
  end if;
  data := jsonb_build_object(
    'id', new.id, 'domain_id', new.domain_id, 'domain', new.domain, 'tier', new.tier, 'status', new.status,
    'grade', new.grade, 'counts', new.counts, 'open_counts', new.open_counts,
    'error_kind', new.error_kind, 'error_detail', new.error_detail,
    'created_at', rfc3339(new.created_at), 'started_at', rfc3339(new.started_at),
    'finished_at', rfc3339(new.finished_at));
  perform notify_receivers(new.organisation_id, 'scan.finished', data);
  if new.status <> 'done' then
    return null;
  end if;
  select count(*) into fresh from findings f
   where f.run_id = new.id and f.severity = 'critical'
     -- One that was there but less grave is news as well.
     and not exists (
       select 1 from findings b
        where b.run_id = new.baseline_run_id and b.severity = 'critical'
          and b.fingerprint = any (f.fingerprint || f.formerly)
          and (b.fingerprint = f.fingerprint or b.identity_rule < f.identity_rule));
  if fresh > 0 then
    perform notify_receivers(new.organisation_id, 'scan.new_critical', data || jsonb_build_object('new_critical', fresh));
  end if;
  return null;
end
$$;

create or replace function run_has_no_report() returns trigger
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  delete from reports where run_id = new.id;
  update artifacts set stored_at = null where run_id = new.id and version is not null and deleted_at is null;
  return null;
end
$$;
