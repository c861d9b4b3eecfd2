-- When nothing may be sent to a domain, how long it rests between two runs, and how much an organisation sends a day
-- (src/store/silences.ts). A run that may not begin yet stays in the queue with the time until which it is passed over.
alter table domains add column quiet_hours jsonb;
alter table domains add column cooldown_minutes int not null default 0;
alter table organisations add column requests_per_day bigint;
alter table runs add column not_before timestamptz(3);

-- Of organisations with a limit alone. A day is one of UTC.
create table sent_requests (
  organisation_id uuid not null references organisations on delete cascade,
  day date not null,
  requests bigint not null,
  primary key (organisation_id, day)
);

-- The end of the quiet hours in which the moment lies, or null. They may go over midnight; days of 23 and 25 hours are the
-- time zone's.
create function quiet_until(quiet jsonb, moment timestamptz) returns timestamptz
language sql stable as $$
  select case when case when first < last then clock >= first and clock < last else clock >= first or clock < last end
              then (day + case when clock >= last then 1 else 0 end + last) at time zone (quiet ->> 'time_zone') end
    from (select (here at time zone zone)::time as clock, (here at time zone zone)::date as day, first, last
            from (select moment as here, quiet ->> 'time_zone' as zone,
                         (quiet ->> 'from')::time as first, (quiet ->> 'to')::time as last) as given) as local
$$;

-- Until when nothing may be sent to this domain for this organisation, and why, the longest first; no row where something may.
create function silence_of(organisation uuid, site uuid) returns table (until timestamptz, why text)
language sql stable as $$
  select * from (
    select quiet_until(d.quiet_hours, clock_timestamp()) as until,
           'the quiet hours of the domain last until ' || (d.quiet_hours ->> 'to') || ' (' || (d.quiet_hours ->> 'time_zone') || ')'
      from domains d where d.id = site and d.quiet_hours is not null
    union all
    select (u.day + 1)::timestamp at time zone 'UTC',
           'the organisation has sent its ' || o.requests_per_day || ' requests of today (UTC)'
      from organisations o
      join sent_requests u on u.organisation_id = o.id and u.day = (clock_timestamp() at time zone 'UTC')::date
     where o.id = organisation and u.requests >= o.requests_per_day
  ) as silences where until is not null order by until desc limit 1
$$;

-- A run that is about to be leased and may not begin yet is passed over until it may; its row then, no row where it may begin.
-- A retest asks few requests of one place, so it does not wait for the domain to have rested.
create function defer_run(chosen uuid) returns setof runs
language sql as $$
  with run as (
    select * from runs where id = chosen
  ), resting as (
    select d.cooldown_minutes as minutes,
           case when exists (select 1 from runs l where l.organisation_id = run.organisation_id and l.domain_id = run.domain_id
                                and l.status in ('leased', 'running'))
                then clock_timestamp() + interval '10 seconds'
                else (select max(e.finished_at) from (
                        select b.finished_at from runs b
                         where b.organisation_id = run.organisation_id and b.domain_id = run.domain_id
                           and b.finished_at is not null and b.first_leased_at is not null
                         order by b.created_at desc limit 20) as e)
                     + make_interval(mins => d.cooldown_minutes) end as until
      from run join domains d on d.id = run.domain_id
     where d.cooldown_minutes > 0 and run.retest_of is null
  ), silences as (
    select s.until, s.why from run, silence_of(run.organisation_id, run.domain_id) as s
    union all
    select until, 'the domain rests ' || minutes || ' minutes between two runs' from resting
  )
  update runs r set not_before = w.until, phase_detail = 'Waiting, as ' || w.why
    from (select * from silences where until > clock_timestamp() order by until desc limit 1) as w
   where r.id = chosen
  returning r.*
$$;

-- As before; a run whose time has not come is passed over. One whose time turns out not to have come is given as it is now,
-- queued: who asked says so, and asks again. The same of claim_run and claim_batch, which 0039 gives.
create or replace function claim_agent_run(agent uuid, worker text, seconds double precision, caps jsonb) returns setof runs
language plpgsql as $$
declare
  org record;
  chosen uuid;
  held int;
begin
  -- Most looks find nothing, and lock nothing then.
  if not exists (select 1 from runs r where r.agent_id = agent and r.status = 'queued'
                    and (r.not_before is null or r.not_before <= clock_timestamp())) then
    return;
  end if;
  select o.id, o.state, coalesce((caps ->> o.plan)::int, 1) as cap into org
    from organisations o join agents a on a.organisation_id = o.id
   where a.id = agent and a.revoked_at is null
     for no key update of o;
  if not found or org.state = 'blocked' or is_held(org.id) then
    return;
  end if;
  select count(*) into held from runs r where r.organisation_id = org.id and r.status in ('leased', 'running');
  if held >= org.cap then
    return;
  end if;
  select r.id into chosen from runs r
   where r.agent_id = agent and r.organisation_id = org.id and r.status = 'queued'
     and (r.not_before is null or r.not_before <= clock_timestamp())
   order by r.created_at, r.id
   limit 1
     for update skip locked;
  if not found then
    return;
  end if;
  return query select * from defer_run(chosen);
  if found then
    return;
  end if;
  update runs set agent_seq = 0 where id = chosen;
  return query select * from lease_run(chosen, worker, seconds);
end
$$;

create or replace function has_next(b batches) returns boolean
language sql stable as $$
  select b.drawn < b.total and b.prepared_at is not null
    or exists (select 1 from runs r where r.batch_id = b.id and r.status = 'queued'
                  and (r.not_before is null or r.not_before <= clock_timestamp()))
$$;
