-- How a run went, for whoever waits for the next one: when it came to each percent, in milliseconds since its first lease, as
-- [[percent, milliseconds], …]. Null of runs of before.
alter table runs add column course jsonb;
