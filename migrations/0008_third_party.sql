-- Accounts at other systems that people log in with -----------------------------------------------------------------------

create table third_party_providers (
  id uuid primary key,
  key text not null unique check (key ~ '^[a-z][a-zA-Z0-9-]{1,31}$'),
  connector text not null,
  name text not null,
  names jsonb not null default '{}',
  enabled boolean not null default true,
  position int not null default 0,
  settings jsonb not null,
  secrets text,
  unbound text not null default 'refuse' check (unbound in ('refuse', 'bind')),
  match_by text[] not null default '{}' check (match_by <@ array['account', 'phone', 'mailbox']),
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on column third_party_providers.key is 'Part of the callback address that is registered at the provider, and the login type in the records: it never changes.';
comment on column third_party_providers.settings is 'Shape of the connector that is named; its secrets are not in here.';
comment on column third_party_providers.secrets is 'The connector''s secrets as JSON, sealed with SECRET_KEY; never in clear.';
comment on column third_party_providers.unbound is 'What an identity gets that nobody here is bound to: a refusal, or the offer to log in with the password and bind.';
comment on column third_party_providers.match_by is 'Verified facts by which an unbound identity is bound by itself. Empty unless an administrator trusts the provider that far.';

create table third_party_accounts (
  id uuid primary key,
  provider_id uuid not null references third_party_providers on delete cascade,
  realm text not null check (realm <> ''),
  subject text not null check (subject !~* '^(|0+|null|undefined|nan|none|nil)$' and length(subject) <= 255),
  user_id uuid not null references users on delete cascade,
  display_name text not null default '',
  bound_at timestamptz not null,
  last_used_at timestamptz,
  unique (provider_id, realm, subject),
  unique (user_id, provider_id)
);
comment on table third_party_accounts is 'Who somebody at another system is here. An identity is provider, realm and subject together, never a name, phone number or mailbox.';
comment on column third_party_accounts.realm is 'Corporation, application or issuer within which the subject is unique and stays the same.';
