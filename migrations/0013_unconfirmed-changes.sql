create table unconfirmed_changes (
  id uuid primary key,
  target_kind text not null,
  target_id text not null,
  fields text[] not null,
  before jsonb not null,
  after jsonb not null,
  made_at timestamptz not null,
  made_by uuid references users on delete set null,
  due_at timestamptz not null,
  settled_at timestamptz,
  outcome text check (outcome in ('confirmed', 'taken-back', 'went-back')),
  left_fields text[] not null default '{}',
  check ((settled_at is null) = (outcome is null))
);
comment on table unconfirmed_changes is 'Changes that were saved although they lock somebody out: each goes back at due_at unless a login after it confirms it.';
comment on column unconfirmed_changes.fields is 'What locks out; the rest of the change may stay when it can''t go back with it.';
comment on column unconfirmed_changes.left_fields is 'What was not put back, because somebody had changed it since or the bootstrap file sets it.';
create unique index unconfirmed_changes_open on unconfirmed_changes (target_kind, target_id) where settled_at is null;
create index unconfirmed_changes_settled on unconfirmed_changes (settled_at) where settled_at is not null;
