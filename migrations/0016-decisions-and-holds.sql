-- By which rule the hash was made (src/store/proof-hash.ts): a row of an older one is made anew from the finding's body.
alter table findings add column proof_rule smallint not null default 1;
alter table triage add column proof_rule smallint not null default 1;
create index findings_before_rule_2 on findings (fingerprint, run_id) where proof_rule < 2;

-- The emergency stop: while there is a row, no worker takes a run of the organisation. A row without one holds all.
create table holds (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid references organisations on delete cascade,
  held_by text not null,
  reason text,
  held_at timestamptz(3) not null default clock_timestamp(),
  unique nulls not distinct (organisation_id)
);

create function is_held(organisation uuid) returns boolean
language sql stable as $$
  select exists (select 1 from holds h where h.organisation_id = organisation or h.organisation_id is null)
$$;

-- How the end of a cancelled run is told; null: somebody cancelled this one run.
alter table runs add column cancel_detail text;

-- Takes the next run for a worker: the organisation whose turn is longest ago among those below their limit, then its
-- oldest run. `caps` maps a plan to its concurrent runs; an unknown plan gets one.
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
         and not is_held(o.id)
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
    if held < org.cap and not is_held(org.id) then
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
