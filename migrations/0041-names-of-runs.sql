-- Runs are found by part of their name and by the beginning of their id however many there are (src/store/run-list.ts).
-- A name is indexed by its pieces of one, two and three letters, each behind the beginning of its organisation's id, since an
-- index that mixed all organisations would be read through for one of them. No extension is needed for it.
create function name_pieces(organisation uuid, name text) returns text[]
language sql immutable parallel safe cost 10000 as $$
  select coalesce(array_agg(distinct left(organisation::text, 8) || substr(name, at, size)), '{}')
    from generate_series(1, 3) as size, generate_series(1, length(name) - size + 1) as at
$$;
-- What the pieces of a name have to hold for this to be a part of it: as few as tell.
create function sought_pieces(organisation uuid, part text) returns text[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct left(organisation::text, 8) || substr(part, at, least(3, length(part)))), '{}')
    from generate_series(1, greatest(1, length(part) - 2)) as at
$$;
create index domains_by_pieces on domains using gin (name_pieces(organisation_id, domain));
-- Of runs whose domain was removed: the others are found by it.
create index runs_by_pieces on runs using gin (name_pieces(organisation_id, domain)) where domain_id is null;
create index runs_by_id on runs (organisation_id, id) include (created_at);

-- The first half of 0042: what is there will be one part, of all events before a month's beginning that is a week away at least.
-- Held for what is written from now on; whether it holds for what is there is asked without keeping anybody from writing.
do $$
begin
  execute format('alter table events add constraint events_before_months check (created_at < %L::timestamptz) not valid',
    (date_trunc('month', (clock_timestamp() + interval '7 days') at time zone 'UTC') + interval '1 month') at time zone 'UTC');
end
$$;
