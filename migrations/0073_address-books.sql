-- Address books of vendors that follow our departments and people.

create table book_syncs (
  id uuid primary key,
  version int not null default 1,
  name text not null unique,
  vendor text not null check (vendor in ('qywx', 'dingding')),
  application text not null,
  host text not null,
  secret text,
  roots jsonb not null,
  category_ids uuid[] not null,
  fields text[] not null,
  leavers text not null check (leavers in ('keep', 'disable', 'delete')),
  thresholds jsonb not null,
  note text not null,
  updated_at timestamptz not null
);
comment on table book_syncs is 'Which departments and people stand in which address book of WeCom or DingTalk, and what holds a run.';
comment on column book_syncs.secret is 'Of the application that may write there, encrypted with SECRET_KEY.';

create table book_links (
  sync_id uuid not null references book_syncs on delete cascade,
  kind text not null check (kind in ('department', 'person')),
  local_id uuid not null,
  external_id text not null,
  -- What was sent last, sealed: some vendors don't tell it again.
  sent text,
  -- A run disabled them there.
  is_disabled boolean not null default false,
  missing_since timestamptz,
  primary key (sync_id, kind, local_id),
  unique (sync_id, kind, external_id)
);
comment on table book_links is 'Who somebody, and which department, is in an address book.';

create table book_runs (
  id uuid primary key,
  sync_id uuid not null references book_syncs on delete cascade,
  task_id uuid references background_tasks on delete set null,
  state text not null check (state in
    ('reading', 'planned', 'held', 'applying', 'done', 'failed', 'cancelled', 'discarded', 'undoing', 'undone')),
  dry_run boolean not null,
  sync_version int not null,
  rows_read int not null default 0,
  counts jsonb not null default '{}',
  undo jsonb,
  held_for jsonb not null default '[]',
  problem text,
  words text not null default '',
  reason text,
  started_by uuid references users on delete set null,
  decided_by uuid references users on delete set null,
  started_at timestamptz not null,
  finished_at timestamptz
);
create unique index book_runs_one on book_runs (sync_id) where state in ('reading', 'applying', 'undoing');
create index book_runs_sync on book_runs (sync_id, started_at desc);
comment on index book_runs_one is 'One run of a sync at a time, over all nodes.';

create table book_rows (
  run_id uuid not null references book_runs on delete cascade,
  row int not null,
  kind text not null check (kind in ('department', 'person')),
  local_id uuid not null,
  external_id text,
  outcome text not null check (outcome in
    ('new', 'changed', 'moved', 'unchanged', 'bad', 'conflict', 'missing', 'leaver', 'changed-since')),
  -- How it stands there and is to stand, sealed.
  plan text,
  fields text[] not null default '{}',
  problem jsonb,
  -- The call that creates it may have been made.
  is_attempted boolean not null default false,
  is_applied boolean not null default false,
  undo text,
  primary key (run_id, row)
);
create index book_rows_outcome on book_rows (run_id, outcome, row);
comment on table book_rows is 'What a run would do, or did, to each department and person in an address book.';
