-- Systems that push people and groups to us by SCIM 2.0.

create table scim_clients (
  id uuid primary key,
  version int not null default 1,
  name text not null unique,
  enabled boolean not null,
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['users.read', 'users.write',
    'organizations.read', 'organizations.write', 'roles.read', 'roles.write']),
  calls_per_minute int not null check (calls_per_minute > 0),
  max_disabled_per_day int not null check (max_disabled_per_day >= 0),
  note text not null,
  updated_at timestamptz not null,
  released_at timestamptz
);
comment on column scim_clients.max_disabled_per_day is 'People that it disables within 24 hours before it is held.';
comment on column scim_clients.released_at is 'When somebody let it go on: what it disabled before counts no more.';

create table scim_tokens (
  id uuid primary key,
  client_id uuid not null references scim_clients on delete cascade,
  hash bytea not null unique,
  hint text not null,
  created_at timestamptz not null,
  created_by uuid references users on delete set null,
  expires_at timestamptz not null,
  last_used_at timestamptz
);
comment on column scim_tokens.hash is 'SHA-256 of the token, which is kept nowhere.';
create index scim_tokens_client on scim_tokens (client_id, created_at);
create index scim_tokens_creator on scim_tokens (created_by) where created_by is not null;

create table scim_user_links (
  client_id uuid not null references scim_clients on delete cascade,
  user_id uuid not null references users on delete cascade,
  external_id text,
  hidden_at timestamptz,
  taken_version int,
  primary key (client_id, user_id)
);
comment on column scim_user_links.external_id is 'What the client calls the person.';
comment on column scim_user_links.hidden_at is 'Deleted by the client: for it there is nobody any more.';
comment on column scim_user_links.taken_version is 'Of the person when the client disabled them: as long as nobody has changed them since, it may enable them again.';
create unique index scim_user_links_external on scim_user_links (client_id, external_id) where hidden_at is null;
create index scim_user_links_user on scim_user_links (user_id);

create table scim_group_links (
  client_id uuid not null references scim_clients on delete cascade,
  group_id uuid not null,
  external_id text,
  is_creator boolean not null default false,
  hidden_at timestamptz,
  primary key (client_id, group_id)
);
comment on table scim_group_links is 'Organisations and roles; one that is gone leaves a row that nothing reads.';
create unique index scim_group_links_external on scim_group_links (client_id, external_id) where hidden_at is null;

create table scim_disabled (
  client_id uuid not null references scim_clients on delete cascade,
  at timestamptz not null,
  user_id uuid not null,
  primary key (client_id, at, user_id)
);
comment on table scim_disabled is 'Whom a client disabled within the last 24 hours.';
