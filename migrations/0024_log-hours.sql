-- The time line of the logs, and how many lines each of their most asked values has. One value at a time is counted: what
-- several have in common is counted when it is asked.

create table log_hours (
  log text not null check (log in ('login', 'visit')),
  -- 'all', or the filter whose values are counted.
  facet text not null,
  value text not null,
  hour timestamptz not null,
  succeeded int not null,
  refused int not null,
  primary key (log, facet, value, hour)
);
create index log_hours_hour on log_hours (log, hour);
comment on table log_hours is 'Records of an hour by one value of theirs, from login_records and visit_records.';

-- So that a year of them is read in a moment.
create table log_days (
  log text not null,
  facet text not null,
  value text not null,
  day timestamptz not null,
  succeeded int not null,
  refused int not null,
  primary key (log, day, facet, value)
);
comment on table log_days is 'log_hours by days of UTC.';

-- What was counted before has none of these: the job counts the records there are once more, a day at a time.
update statistics_progress set counted_until = least(counted_until, first_hour);
