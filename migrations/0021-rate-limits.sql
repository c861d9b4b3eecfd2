-- Counters of rate limits, shared by all API processes. Unlogged: after a crash of the server they begin anew.
create unlogged table rate_limits (
  name    text not null,
  subject text not null,
  -- Requests of the window, or tokens of the bucket that are gone.
  spent   double precision not null,
  -- Of a window its begin, of a bucket the last request.
  since   timestamptz not null,
  refused boolean not null default false,
  quota   double precision not null,
  seconds double precision not null,
  refills boolean not null,
  primary key (name, subject)
) with (fillfactor = 70);
