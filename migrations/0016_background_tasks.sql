-- Work that goes on after its request is answered -----------------------------------------------------------------------

create table background_tasks (
  id uuid primary key,
  kind text not null,
  owner_id uuid not null references users on delete cascade,
  client jsonb not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  done int not null default 0,
  total int not null,
  input jsonb not null,
  result jsonb,
  error text,
  cancel_asked_at timestamptz,
  runner uuid,
  attempts int not null default 0,
  heartbeat_at timestamptz,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz
);
comment on column background_tasks.client is 'Address, program and language of the request, for the audit lines and the words of the result.';
comment on column background_tasks.heartbeat_at is 'A running task whose node has been silent for a while is taken up by another.';
comment on column background_tasks.error is 'The code of the refusal that ended it.';
create index background_tasks_open on background_tasks (created_at) where state in ('queued', 'running');
create index background_tasks_owner on background_tasks (owner_id, created_at desc);
create index background_tasks_created on background_tasks (created_at desc);

-- Import of people -------------------------------------------------------------------------------------------------------

create table user_imports (
  id uuid primary key,
  owner_id uuid not null references users on delete cascade,
  file_name text not null,
  format text not null check (format in ('csv', 'xlsx')),
  encoding text not null,
  separator text not null,
  state text not null check (state in ('reading', 'read', 'checking', 'checked', 'importing', 'finished', 'cancelled', 'failed', 'undoing', 'undone')),
  headings jsonb not null default '[]',
  mapping jsonb not null default '[]',
  row_count int not null default 0,
  counts jsonb not null default '{}',
  undo_counts jsonb,
  task_id uuid references background_tasks on delete set null,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz
);
comment on column user_imports.mapping is 'For each column of the file the field that it fills, or null.';
create index user_imports_owner on user_imports (owner_id, created_at desc);
create index user_imports_created on user_imports (created_at desc);

create table user_import_rows (
  import_id uuid not null references user_imports on delete cascade,
  row int not null,
  cells text not null,
  notes jsonb,
  keys text[],
  outcome text check (outcome in ('new', 'changed', 'unchanged', 'bad')),
  problems jsonb,
  user_id uuid,
  before jsonb,
  after jsonb,
  written boolean not null default false,
  undo text,
  primary key (import_id, row)
);
comment on column user_import_rows.row is 'As a spreadsheet counts them.';
comment on column user_import_rows.cells is 'The texts of the file, sealed: there are numbers of identity documents among them.';
comment on column user_import_rows.notes is 'What reading the file found in single cells: a formula, a merged cell, a number that is not exact.';
comment on column user_import_rows.before is 'The fields that the import changed as they were, and "after" as they became: what undoing compares.';
comment on column user_import_rows.undo is 'What undoing came to: undone, or why not.';
create index user_import_rows_outcome on user_import_rows (import_id, outcome, row);
comment on column user_import_rows.keys is 'What may stand in one row of the file only: the account and the login names.';

create table user_import_columns (
  owner_id uuid not null references users on delete cascade,
  heading text not null,
  field text,
  updated_at timestamptz not null,
  primary key (owner_id, heading)
);
comment on table user_import_columns is 'Which field a heading meant the last time, where a person chose it.';
