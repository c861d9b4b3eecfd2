-- The figures of the last hour read the runs that ended in it, however many are older.
create index runs_ended on runs (finished_at) where finished_at is not null;
