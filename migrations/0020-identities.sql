-- By which rule a fingerprint was made (src/store/succession.ts), and what earlier rules made of the same problem.
alter table findings add column identity_rule smallint not null default 1;
alter table findings add column formerly text[] not null default '{}';
alter table triage add column identity_rule smallint not null default 1;
-- Since when another decision, about the same problem under its present fingerprint, stands for this one.
alter table triage add column superseded_at timestamptz(3);

-- Every fingerprint by which a finding is known to runs of rules below `before_rule`.
create view known_as as
  select f.id as finding_id, f.run_id, f.fingerprint, 32767 as before_rule from findings f
  union all
  select f.id, f.run_id, was, f.identity_rule from findings f, unnest(f.formerly) as was;

create or replace function run_has_ended() returns trigger
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
        where b.run_id = new.baseline_run_id and b.severity = 'critical'
          and b.fingerprint = any (f.fingerprint || f.formerly)
          and (b.fingerprint = f.fingerprint or b.identity_rule < f.identity_rule));
  if new.status = 'done' and fresh > 0 then
    perform notify_receivers(new.organisation_id, 'scan.new_critical', data || jsonb_build_object('new_critical', fresh));
  end if;
  return null;
end
$$;
