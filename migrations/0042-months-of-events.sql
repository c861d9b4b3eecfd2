-- Events lie in a part for each month in which they were written, so that what is too old goes by dropping a part
-- (src/store/event-months.ts). The table of before becomes the first part as it is: one look at its rows, none is moved.
-- The parts have their keys; the whole has none, since its key would have to hold the time, and an index of all rows would have
-- to be built anew for it. The numbers of a run's events come from its row, which is locked: none is given twice.
set local statement_timeout = 0;

do $$
declare
  month timestamptz;
begin
  begin
    alter table events validate constraint events_before_months;
  exception when check_violation then
    -- Written by a clock that was ahead.
    alter table events drop constraint events_before_months;
    select (date_trunc('month', max(created_at) at time zone 'UTC') + interval '1 month') at time zone 'UTC' into month from events;
    execute format('alter table events add constraint events_before_months check (created_at < %L::timestamptz)', month);
  end;
  select (regexp_match(pg_get_constraintdef(oid), '''([^'']+)'''))[1]::timestamptz into strict month
    from pg_constraint where conname = 'events_before_months' and conrelid = 'events'::regclass;

  alter table events rename to events_before;
  create table events (
    run_id uuid not null,
    seq bigint not null,
    type text not null,
    data json not null,
    created_at timestamptz(3) not null default clock_timestamp(),
    constraint events_type_check check (type in ('progress', 'audit', 'done')),
    constraint events_run_id_fkey foreign key (run_id) references runs on delete cascade
  ) partition by range (created_at);
  execute format('alter table events attach partition events_before for values from (minvalue) to (%L)', month);
  alter table events_before drop constraint events_before_months;
  -- Nothing is lost for want of a month.
  create table events_other partition of events default;
  alter table events_other add primary key (run_id, seq);
end
$$;
