-- The end of a lock by failed logins becomes a record, which the counter alone can't give: the next attempt replaces it.

create table login_locks (
  kind text not null,
  key bytea not null,
  user_id uuid not null,
  locked_at timestamptz not null,
  locked_until timestamptz not null,
  expired boolean not null default false,
  primary key (kind, key, locked_until)
);
comment on table login_locks is 'Locks of people by failed logins, written with the lock. Unlocking deletes them.';
comment on column login_locks.kind is 'With key: the row of attempt_counters that locked.';
comment on column login_locks.expired is 'The lock ran out, and that is in the audit records. The row is kept a while, because the next lock is one of a person locked again.';
create index login_locks_open on login_locks (locked_until) where not expired;
create index login_locks_user on login_locks (user_id);
