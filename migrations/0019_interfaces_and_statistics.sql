-- What applications may call ---------------------------------------------------------------------------------------------

create table interfaces (
  api_id text primary key,
  enabled boolean not null,
  version int not null,
  updated_at timestamptz not null,
  updated_by uuid
);
comment on table interfaces is 'Calls of the contract that somebody switched off, or on again. The catalogue itself is the contract: a call without a row is on.';

create table application_interfaces (
  application_id uuid not null references applications on delete cascade,
  api_id text not null,
  calls_per_minute int check (calls_per_minute between 1 and 60000),
  granted_at timestamptz not null,
  granted_by uuid,
  version int not null default 1,
  primary key (application_id, api_id)
);
comment on column application_interfaces.calls_per_minute is 'Null: the number that the contract gives.';
create index application_interfaces_api on application_interfaces (api_id);

create table application_keys (
  id uuid primary key,
  application_id uuid not null references applications on delete cascade,
  sealed text not null,
  hint text not null,
  created_at timestamptz not null,
  created_by uuid,
  valid_until timestamptz,
  last_used_at timestamptz
);
comment on table application_keys is 'Keys with which applications sign their calls: one, or two while they change from one to the next.';
comment on column application_keys.sealed is 'The key, sealed: a signature can be checked with nothing less.';
comment on column application_keys.hint is 'Its last characters, to tell two of them apart.';
create index application_keys_application on application_keys (application_id, created_at desc);

create table api_call_records (
  id uuid not null,
  at timestamptz not null,
  application_id uuid not null,
  api_id text not null,
  status int not null,
  code text,
  ms int not null,
  ip inet not null,
  request_id text not null,
  primary key (at, id)
) partition by range (at);
comment on table api_call_records is 'Calls by applications, one line each, for some weeks; api_call_hours counts them for longer.';
create index api_call_records_application on api_call_records (application_id, at desc, id desc);
create index api_call_records_refused on api_call_records (application_id, at desc, id desc) where status >= 400;
create table api_call_records_other partition of api_call_records default;

create or replace function ensure_record_partitions(first_month date, months int) returns void language plpgsql as $$
declare
  month date;
  kind text;
  name text;
begin
  for i in 0 .. months - 1 loop
    month := (date_trunc('month', first_month) + make_interval(months => i))::date;
    foreach kind in array array['login_records', 'visit_records', 'audit_records', 'api_call_records'] loop
      name := kind || '_' || to_char(month, 'YYYY_MM');
      if to_regclass(name) is null then
        execute format('create table %I partition of %I for values from (%L) to (%L)',
          name, kind, month || ' 00:00:00+00', (month + interval '1 month')::date || ' 00:00:00+00');
      end if;
    end loop;
  end loop;
end $$;

-- Applications record that somebody entered them by a door of their own. Rows that are there already fit.
alter table visit_records drop constraint visit_records_way_check;
alter table visit_records add constraint visit_records_way_check check (way in ('portal', 'sign-on', 'application')) not valid;

-- For whoever asks what has changed since.
create index users_updated on users (updated_at, id);

-- Figures that stay cheap ------------------------------------------------------------------------------------------------

create table statistics_progress (
  single boolean primary key default true check (single),
  counted_until timestamptz not null,
  first_hour timestamptz not null
);
comment on table statistics_progress is 'Hours before counted_until are counted for good; those after it are counted anew each minute.';

create table login_hours (
  hour timestamptz not null,
  auth_type text not null,
  succeeded boolean not null,
  on_campus boolean not null,
  logins int not null,
  primary key (hour, auth_type, succeeded, on_campus)
);

create table application_hours (
  hour timestamptz not null,
  application_id uuid not null,
  visits int not null default 0,
  campus_visits int not null default 0,
  failures int not null default 0,
  primary key (hour, application_id)
);
create index application_hours_application on application_hours (application_id, hour);

create table api_call_hours (
  hour timestamptz not null,
  application_id uuid not null,
  api_id text not null,
  calls int not null,
  failures int not null,
  ms bigint not null,
  primary key (hour, application_id, api_id)
);
create index api_call_hours_application on api_call_hours (application_id, hour);

create table day_people (
  day date not null,
  application_id uuid not null,
  user_id uuid not null,
  primary key (day, application_id, user_id)
);
comment on table day_people is 'Who came, of the last days only: to count people and not visits. The zero application means a login.';

create table day_figures (
  day date not null,
  application_id uuid not null,
  people int not null,
  primary key (application_id, day)
);
comment on table day_figures is 'How many different people came on a day of the institution''s zone; kept when day_people is gone.';
create index day_figures_day on day_figures (day, application_id);

create table figures (
  name text primary key,
  value jsonb not null,
  counted_at timestamptz not null
);
comment on table figures is 'Numbers of the whole institution that cost too much to count at each look: counted by a job.';

create table job_runs (
  name text primary key,
  cron text not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  ms int,
  failed_at timestamptz,
  error text,
  failures int not null default 0
);
comment on column job_runs.error is 'The name of the last error, never its words: they may quote data.';
comment on column job_runs.failures is 'In a row; 0 after a run that ended well.';

create index messages_failed on messages (finished_at) where state = 'failed';
create index logout_deliveries_failed on logout_deliveries (finished_at) where state = 'failed';
