-- Keys that sign ID tokens and logout tokens -----------------------------------------------------------------------------

create table signing_keys (
  kid text primary key,
  alg text not null check (alg in ('RS256', 'ES256')),
  public_jwk jsonb not null,
  private_jwk text not null,
  created_at timestamptz not null,
  signs_from timestamptz not null,
  verifies_until timestamptz
);
comment on column signing_keys.private_jwk is 'Sealed with SECRET_KEY; never in clear.';
comment on column signing_keys.signs_from is 'Published before, so that relying parties know a key when its first signature arrives.';
comment on column signing_keys.verifies_until is 'Set when a younger key takes over; listed until then.';
create index signing_keys_alg on signing_keys (alg, signs_from);

-- Applications ---------------------------------------------------------------------------------------------------------

alter table applications
  add column subject_type text not null default 'public' check (subject_type in ('public', 'pairwise')),
  add column id_token_alg text not null default 'RS256' check (id_token_alg in ('RS256', 'ES256')),
  add column profile_style text not null default 'nested' check (profile_style in ('nested', 'flat'));
comment on column applications.profile_style is 'Shape of /oauth2.0/profile: attributes below "attributes", or beside "id".';

-- Who is in which application, and what for ----------------------------------------------------------------------------

create table session_clients (
  sso_session_id uuid not null references sso_sessions on delete cascade,
  application_id uuid not null references applications on delete cascade,
  sid text not null,
  subject text not null,
  first_at timestamptz not null,
  primary key (sso_session_id, application_id)
);
comment on table session_clients is 'OpenID applications that a session entered: back-channel logout names them by sid and subject.';

create table consents (
  user_id uuid not null references users on delete cascade,
  application_id uuid not null references applications on delete cascade,
  scopes text[] not null,
  given_at timestamptz not null,
  primary key (user_id, application_id)
);
create index consents_application on consents (application_id);

alter table logout_deliveries
  add column protocol text not null default 'cas' check (protocol in ('cas', 'oidc')),
  add column subject text;
comment on column logout_deliveries.ticket is 'What names the session to the application: the ticket, or the sid.';

-- Tokens ---------------------------------------------------------------------------------------------------------------

create table oidc_refresh_tokens (
  token_hash bytea primary key,
  grant_id text not null,
  sso_session_id uuid not null references sso_sessions on delete cascade,
  application_id uuid not null references applications on delete cascade,
  value jsonb not null,
  expires_at timestamptz not null,
  consumed_at timestamptz
);
comment on table oidc_refresh_tokens is 'A used one stays until it would have expired: whoever presents it again ends its whole family.';
create index oidc_refresh_tokens_session on oidc_refresh_tokens (sso_session_id);
create index oidc_refresh_tokens_expiry on oidc_refresh_tokens (expires_at);

create unlogged table oidc_access_tokens (
  token_hash bytea primary key,
  grant_id text,
  sso_session_id uuid,
  application_id uuid not null,
  value jsonb not null,
  expires_at timestamptz not null
);
comment on table oidc_access_tokens is 'Without a session: the application''s own (client credentials). Lost in a crash, so that applications refresh.';
create index oidc_access_tokens_expiry on oidc_access_tokens (expires_at);

create table oidc_revoked_grants (
  grant_id text primary key,
  revoked_at timestamptz not null
);
comment on table oidc_revoked_grants is 'Checked at each use of a token, so that a token issued while its family was being revoked is worthless too.';
