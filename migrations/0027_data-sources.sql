-- External data sources: the institution's own systems from which people can be synchronised.

create table data_sources (
  id uuid primary key,
  name text not null unique,
  kind text not null check (kind in ('postgresql', 'mysql', 'csv-upload')),
  host text not null default '',
  port int not null default 0,
  database text not null default '',
  user_name text not null default '',
  -- Sealed; null: there is none.
  password text,
  tls text not null default 'verify' check (tls in ('off', 'require', 'verify')),
  ca text not null default '',
  timeout_seconds int not null default 60,
  note text not null default '',
  check_state text not null default 'untested' check (check_state in ('untested', 'ok', 'failing')),
  check_problem text,
  checked_at timestamptz,
  file_name text,
  file_rows int,
  file_sha256 bytea,
  file_at timestamptz,
  version int not null default 1,
  updated_at timestamptz not null
);
comment on table data_sources is 'Other systems that people are read from; at most 100.';

create table data_source_chunks (
  source_id uuid not null references data_sources on delete cascade,
  chunk int not null,
  -- Sealed.
  data text not null,
  primary key (source_id, chunk)
);
comment on table data_source_chunks is 'The file of a source that is an uploaded file, in pieces.';
