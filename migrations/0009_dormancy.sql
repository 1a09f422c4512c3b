-- Dormancy: from when idleness counts, whom it spares, who was told, how far the run of a night is, and locks that come of it.

alter table users
  add column awake_from timestamptz,
  add column dormancy_exempt_until timestamptz,
  add column lock_cause text check (lock_cause in ('dormancy'));
comment on column users.awake_from is
  'Idleness counts from here at the earliest: activated, woken, unlocked, thawed, enabled or restored. Null: from creation.';
comment on column users.dormancy_exempt_until is 'Not made dormant, and not locked for dormancy, before this.';
comment on column users.lock_cause is 'Null: an administrator locked them.';
create index users_locked_by_hand on users (account) where locked_at is not null and lock_cause is null and deleted_at is null;
create index users_locked_dormant on users (account) where lock_cause = 'dormancy' and deleted_at is null;

create table dormancy_notices (
  user_id uuid primary key references users on delete cascade,
  term text not null check (term in ('dormant', 'lock')),
  due_at timestamptz not null,
  days_before int not null,
  messages int not null,
  at timestamptz not null
);
comment on table dormancy_notices is
  'Who has come so near to the end of a term that they are told. A login moves the end, which makes the row one of the past.';
comment on column dormancy_notices.days_before is 'The latest of the notices of this term; each goes once.';
comment on column dormancy_notices.messages is 'How many were sent; 0: there is no contact, or nothing to send by.';

create table dormancy_runs (
  task_id uuid primary key references background_tasks on delete cascade,
  at timestamptz not null,
  after uuid not null default '00000000-0000-0000-0000-000000000000',
  people int not null,
  dormant int not null default 0,
  locked int not null default 0,
  told int not null default 0,
  held boolean not null default false
);
comment on table dormancy_runs is 'One run each: its own moment, the last person it came to, and what it did. Held: what it would have done, and did not.';
create index dormancy_runs_at on dormancy_runs (at);
