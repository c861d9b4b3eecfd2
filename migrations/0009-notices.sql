-- Who wants to hear of what happens, and what was sent to them.
create table webhooks (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references organisations on delete cascade,
  url text not null,
  description text not null,
  events text[] not null,
  -- Sealed, see seal.ts.
  secret bytea not null,
  -- Of the first failure since the last success.
  failing_since timestamptz(3),
  paused_at timestamptz(3),
  paused_because text,
  created_at timestamptz(3) not null default clock_timestamp(),
  check ((paused_at is null) = (paused_because is null))
);
create index webhooks_of_organisation on webhooks (organisation_id, created_at desc, id desc);

create table mail_subscriptions (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references organisations on delete cascade,
  address text not null,
  events text[] not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  unique (organisation_id, address)
);

-- One message to one receiver; it is made in the transaction of what it tells of, so neither is without the other.
create table deliveries (
  id uuid primary key default gen_random_uuid(),
  webhook_id uuid references webhooks on delete cascade,
  mail_subscription_id uuid references mail_subscriptions on delete cascade,
  event text not null,
  payload json not null,
  attempts int not null default 0,
  next_attempt_at timestamptz(3),
  -- A worker that dies while sending gives it back when this has passed.
  taken_until timestamptz(3),
  delivered_at timestamptz(3),
  created_at timestamptz(3) not null default clock_timestamp(),
  check ((webhook_id is null) <> (mail_subscription_id is null)),
  -- Without a next attempt it is delivered or given up.
  check (delivered_at is null or next_attempt_at is null)
);
create index deliveries_due on deliveries (next_attempt_at) where next_attempt_at is not null;
create index deliveries_of_webhook on deliveries (webhook_id, created_at desc, id desc);
create index deliveries_by_age on deliveries (created_at);

create table delivery_attempts (
  delivery_id uuid not null references deliveries on delete cascade,
  number int not null,
  -- Null when no answer came.
  status int,
  error text,
  duration_ms int not null,
  at timestamptz(3) not null default clock_timestamp(),
  primary key (delivery_id, number)
);

create function rfc3339(at timestamptz) returns text
language sql immutable as $$ select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

create function notify_receivers(org uuid, kind text, data jsonb) returns void
language plpgsql as $$
declare
  message json := json_build_object('type', kind, 'timestamp', rfc3339(clock_timestamp()), 'data', data);
begin
  insert into deliveries (webhook_id, event, payload, next_attempt_at)
    select w.id, kind, message, clock_timestamp() from webhooks w
     where w.organisation_id = org and kind = any (w.events) and w.paused_at is null;
  insert into deliveries (mail_subscription_id, event, payload, next_attempt_at)
    select m.id, kind, message, clock_timestamp() from mail_subscriptions m
     where m.organisation_id = org and kind = any (m.events);
  perform pg_notify('deliveries', '');
end
$$;

create function run_has_ended() returns trigger
language plpgsql as $$
declare
  data jsonb := jsonb_build_object(
    'id', new.id, 'domain_id', new.domain_id, 'domain', new.domain, 'tier', new.tier, 'status', new.status,
    'grade', new.grade, 'counts', new.counts, 'open_counts', new.open_counts,
    'error_kind', new.error_kind, 'error_detail', new.error_detail,
    'created_at', rfc3339(new.created_at), 'started_at', rfc3339(new.started_at),
    'finished_at', rfc3339(new.finished_at));
  fresh int;
begin
  perform notify_receivers(new.organisation_id, 'scan.finished', data);
  select count(*) into fresh from findings f
   where f.run_id = new.id and f.severity = 'critical'
     -- One that was there but less grave is news as well.
     and not exists (
       select 1 from findings b
        where b.run_id = new.baseline_run_id and b.fingerprint = f.fingerprint and b.severity = 'critical');
  if new.status = 'done' and fresh > 0 then
    perform notify_receivers(new.organisation_id, 'scan.new_critical', data || jsonb_build_object('new_critical', fresh));
  end if;
  return null;
end
$$;
create trigger run_has_ended after update of status on runs
  for each row when (old.finished_at is null and new.finished_at is not null)
  execute function run_has_ended();

create function domain_was_verified() returns trigger
language plpgsql as $$
begin
  perform notify_receivers(new.organisation_id, 'domain.verified', jsonb_build_object(
    'id', new.id, 'domain', new.domain, 'verified_at', rfc3339(new.verified_at),
    'verified_until', rfc3339(new.verified_until)));
  return null;
end
$$;
create trigger domain_was_verified after update of verified_at on domains
  for each row when (new.verified_at is not null and (old.verified_at is null or old.verified_until < clock_timestamp()))
  execute function domain_was_verified();
