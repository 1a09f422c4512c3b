-- Verification codes -------------------------------------------------------------------------------------------------

create table verification_codes (
  slot bytea primary key,
  code_hash bytea not null,
  tries int not null default 0,
  last_try_at timestamptz,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
comment on table verification_codes is 'Six-digit codes sent to a phone or mailbox, one a slot. Durable, so that a restart gives no fresh tries.';
comment on column verification_codes.slot is 'Keyed hash of purpose, account, typed name, target and browser: a code opens nothing else. Names that nobody has get rows too.';
comment on column verification_codes.code_hash is 'Keyed, because there are only a million codes.';
comment on column verification_codes.tries is 'Wrong tries; another code in the same slot goes on counting.';
create index verification_codes_expiry on verification_codes (expires_at);

create table verification_code_limits (
  key bytea primary key,
  used int not null,
  until timestamptz not null
);
comment on table verification_code_limits is 'How many codes were asked for: per name, target, address and in all, each row for one span of time that begins with its first code.';
create index verification_code_limits_until on verification_code_limits (until);
