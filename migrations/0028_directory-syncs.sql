-- Directory sync: people follow the institution's own systems.

create table directory_syncs (
  id uuid primary key,
  name text not null unique,
  -- One sync of a source: a second one would take the people of the first for leavers.
  source_id uuid not null unique references data_sources,
  table_name text not null default '',
  key_column text not null,
  mapping jsonb not null,
  match_by text[] not null,
  thresholds jsonb not null,
  leavers jsonb not null,
  note text not null default '',
  version int not null default 1,
  updated_at timestamptz not null
);
comment on table directory_syncs is 'Which people of a source become which people here, and what of it is held for a person to look at.';

create table directory_links (
  source_id uuid not null references data_sources on delete cascade,
  external_id text not null,
  user_id uuid not null references users on delete cascade,
  -- Applied complete runs in a row without this person, and since when.
  missing_runs int not null default 0,
  missing_since timestamptz,
  -- The version that the person had after sync disabled them; null: sync took nothing.
  taken_version int,
  primary key (source_id, external_id),
  unique (source_id, user_id)
);
comment on table directory_links is 'Who somebody of a source is here: by its own id, never by a name.';
create index directory_links_user on directory_links (user_id);

create table directory_sync_runs (
  id uuid primary key,
  sync_id uuid not null references directory_syncs on delete cascade,
  source_id uuid not null references data_sources on delete cascade,
  task_id uuid references background_tasks on delete set null,
  state text not null check (state in ('reading', 'planning', 'planned', 'held', 'applying', 'done', 'failed', 'cancelled', 'discarded')),
  dry_run boolean not null,
  is_complete boolean not null default true,
  sync_version int not null,
  source_version int not null,
  rows_read int not null default 0,
  counts jsonb not null default '{}',
  held_for jsonb not null default '[]',
  problem text,
  words text not null default '',
  reason text,
  started_by uuid references users on delete set null,
  decided_by uuid references users on delete set null,
  started_at timestamptz not null,
  finished_at timestamptz
);
create unique index directory_sync_runs_one on directory_sync_runs (source_id) where state in ('reading', 'planning', 'applying');
create index directory_sync_runs_sync on directory_sync_runs (sync_id, started_at desc);
comment on index directory_sync_runs_one is 'One run of a source at a time, over all nodes.';

create table directory_sync_rows (
  run_id uuid not null references directory_sync_runs on delete cascade,
  row int not null,
  external_id text not null,
  -- Sealed; null of somebody who is missing.
  cells text,
  outcome text check (outcome in ('new', 'changed', 'unchanged', 'bad', 'conflict', 'protected', 'missing', 'leaver', 'changed-since')),
  user_id uuid,
  before jsonb,
  after jsonb,
  problems jsonb,
  is_applied boolean not null default false,
  primary key (run_id, row)
);
create index directory_sync_rows_outcome on directory_sync_rows (run_id, outcome, row);
create index directory_sync_rows_external on directory_sync_rows (run_id, external_id);
