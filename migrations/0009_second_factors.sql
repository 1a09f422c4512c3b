-- Second factors: TOTP, recovery codes, passkeys, trusted browsers -----------------------------------------------------

create table second_factors (
  user_id uuid primary key references users on delete cascade,
  totp_secret text,
  totp_last_step bigint not null default 0,
  totp_confirmed_at timestamptz,
  totp_used_at timestamptz,
  created_at timestamptz not null
);
comment on table second_factors is 'One row a person who has or had a second factor; its lock makes parallel tries take turns.';
comment on column second_factors.totp_secret is 'Sealed; null without an authenticator app.';
comment on column second_factors.totp_last_step is 'The 30-second step whose code was taken last: neither it nor an earlier one is taken again.';

create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  code_hash bytea not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);
comment on column recovery_codes.code_hash is 'Keyed: fifty random bits alone could be searched through.';

create table passkeys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  backed_up boolean not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
comment on column passkeys.public_key is 'COSE.';
comment on column passkeys.counter is '0 for ever where the authenticator does not count; else each use must be higher than the last.';
comment on column passkeys.backed_up is 'Synced by its maker, so that losing one device does not lose it.';
create index passkeys_user on passkeys (user_id, created_at);

create table trusted_devices (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  secret_hash bytea not null,
  browser text not null,
  device text not null,
  ip inet not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  unique (user_id, secret_hash)
);
comment on table trusted_devices is 'Browsers that stand in for the second factor of one person for a while; worth nothing once the password was changed after created_at.';
create index trusted_devices_expiry on trusted_devices (expires_at);

alter table sso_sessions
  add column second_factor text check (second_factor in ('totp', 'recovery', 'passkey', 'device')),
  add column second_factor_at timestamptz;
comment on column sso_sessions.second_factor is 'What was proved besides the first factor, if anything; device: a browser that was trusted earlier.';
