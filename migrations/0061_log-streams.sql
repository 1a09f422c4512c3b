-- Records that are sent to other systems as they are written.

create table log_streams (
  id uuid primary key,
  version int not null default 1,
  name text not null unique,
  kind text not null check (kind in ('syslog', 'https')),
  logs text[] not null check (cardinality(logs) > 0 and logs <@ array['login', 'visit', 'audit']),
  enabled boolean not null,
  host text not null,
  port int not null,
  tls text not null check (tls in ('verify', 'off')),
  ca text not null,
  facility int not null check (facility between 0 and 23),
  url text not null,
  secret text,
  note text not null,
  updated_at timestamptz not null,
  -- The node that sends just now; nobody else does until then.
  sender uuid,
  sender_until timestamptz,
  failures int not null default 0,
  next_attempt_at timestamptz,
  problem text,
  problem_words text,
  problem_at timestamptz,
  sent_at timestamptz
);
comment on column log_streams.secret is 'With which batches are signed, encrypted with SECRET_KEY.';
comment on column log_streams.failures is 'In a row; 0: the last attempt went well.';

create table log_stream_cursors (
  stream_id uuid not null references log_streams on delete cascade,
  log text not null check (log in ('login', 'visit', 'audit')),
  -- The last record that arrived.
  at timestamptz not null,
  record_id uuid not null,
  sent bigint not null default 0,
  primary key (stream_id, log)
);
