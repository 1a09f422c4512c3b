-- Exports of the logs, made in the background.

create table log_exports (
  id uuid primary key,
  owner_id uuid not null references users on delete cascade,
  task_id uuid,
  log text not null check (log in ('login', 'visit')),
  filters jsonb not null,
  columns text[] not null,
  format text not null check (format in ('csv', 'xlsx')),
  time_zone text not null,
  language text not null,
  state text not null default 'reading' check (state in ('reading', 'writing', 'ready')),
  rows int not null default 0,
  -- Where reading goes on; null: it has not begun, or is done.
  next text,
  parts int not null default 0,
  -- The oldest record in the file, when there were more than it takes.
  cut_at timestamptz,
  bytes bigint,
  sha256 text,
  created_at timestamptz not null,
  ready_at timestamptz
);
create index log_exports_owner on log_exports (owner_id, log, created_at);
create index log_exports_created on log_exports (created_at);

create table log_export_parts (
  export_id uuid not null references log_exports on delete cascade,
  -- rows: compressed cells, until the file is made of them.
  kind text not null check (kind in ('rows', 'file')),
  part int not null,
  data bytea not null,
  primary key (export_id, kind, part)
);
alter table log_export_parts alter column data set storage external;
comment on table log_export_parts is 'The file of an export in pieces, each compressed.';
