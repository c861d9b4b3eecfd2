-- Agents: workers of one organisation that reach the service by its interface alone (src/store/agents.ts, src/store/agent-runs.ts).
create table agents (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references organisations on delete cascade,
  name text not null,
  token_hash bytea not null unique,
  created_at timestamptz(3) not null default clock_timestamp(),
  created_by text not null,
  last_seen_at timestamptz(3),
  -- What it said of itself then.
  version text,
  networks text[] not null default '{}',
  revoked_at timestamptz(3)
);
create unique index agents_by_name on agents (organisation_id, name) where revoked_at is null;

-- Null: the service's own workers scan it.
alter table domains add column agent_id uuid references agents;
create index domains_of_agent on domains (agent_id) where agent_id is not null;

-- Whether a domain of an agent shows its proof: asked by a person or by the clock, answered by that agent.
create table agent_checks (
  id uuid primary key default gen_random_uuid(),
  domain_id uuid not null references domains on delete cascade,
  agent_id uuid not null references agents on delete cascade,
  asked_at timestamptz(3) not null default clock_timestamp(),
  claimed_at timestamptz(3),
  answered_at timestamptz(3),
  attempts json
);
create index agent_checks_open on agent_checks (agent_id, asked_at) where answered_at is null;
create index agent_checks_by_age on agent_checks (asked_at);

-- The domain's, when the run was made.
alter table runs add column agent_id uuid references agents;
-- Of the lease: the last message or file of the agent that was kept.
alter table runs add column agent_seq int not null default 0;
-- How an agent's scan ended, with the lease that it had: a worker of the service brings the run to its end. `finishes`: how
-- often one began to.
alter table runs add column scan_end jsonb;
alter table runs add column finishes int not null default 0;
create index runs_scanned on runs (lease_until) where scan_end is not null and status = 'running';

create index runs_for_agent on runs (agent_id, created_at, id) where status = 'queued' and agent_id is not null;

-- As before, without the runs that are for an agent. Takes the next run that was started alone: of the organisation whose turn is longest ago among those below their limit, its
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
       and exists (select 1 from runs r where r.organisation_id = o.id and r.status = 'queued' and r.batch_id is null and r.agent_id is null)
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
         and exists (select 1 from runs r where r.organisation_id = o.id and r.status = 'queued' and r.batch_id is null and r.agent_id is null)
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

-- The same for one agent, of its own organisation alone: its oldest run, whatever made it.
create function claim_agent_run(agent uuid, worker text, seconds double precision, caps jsonb) returns setof runs
language plpgsql as $$
declare
  org record;
  chosen uuid;
  held int;
begin
  -- Most looks find nothing, and lock nothing then.
  if not exists (select 1 from runs r where r.agent_id = agent and r.status = 'queued') then
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
   order by r.created_at, r.id
   limit 1
     for update skip locked;
  if not found then
    return;
  end if;
  update runs set agent_seq = 0 where id = chosen;
  return query select * from lease_run(chosen, worker, seconds);
end
$$;

-- An agent's scan that is to be brought to its end, the one that waits longest first. One that no worker has got through is
-- left to the reaper.
create function claim_scanned(worker text, seconds double precision) returns setof runs
language sql as $$
  update runs r
     set lease_token = gen_random_uuid(), lease_until = clock_timestamp() + make_interval(secs => seconds),
         leased_by = worker, finishes = r.finishes + 1
   where r.id = (
           select s.id from runs s
            where s.scan_end is not null and s.status = 'running' and s.lease_until < clock_timestamp() and s.finishes < 3
            order by s.lease_until
            limit 1
              for update skip locked)
  returning r.*
$$;

-- Calls from targets of agents' runs, heard by a worker that listens for them (src/store/calls.ts). Nothing of it outlasts its run.
create table call_listeners (
  worker text primary key,
  address text not null,
  domain text,
  http_port int not null,
  seen_at timestamptz(3) not null
);
create table call_watches (
  run_id uuid primary key references runs on delete cascade,
  worker text not null,
  -- Base64url: tokens of the run are known by it.
  key text not null,
  -- Since when the worker listens for them.
  watched_at timestamptz(3)
);
create index call_watches_of on call_watches (worker);
create table call_hits (
  run_id uuid not null references runs on delete cascade,
  n bigint generated always as identity,
  hit json not null,
  primary key (run_id, n)
);
