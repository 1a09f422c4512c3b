-- Mail and text messages: the queue, which is the record of their delivery too -----------------------------------------

create table messages (
  id uuid primary key,
  user_id uuid references users on delete set null,
  channel text not null check (channel in ('mail', 'sms')),
  template text not null,
  language text not null,
  masked_to text not null,
  target_hash bytea not null,
  sealed text,
  state text not null default 'pending' check (state in ('pending', 'sent', 'failed', 'expired')),
  attempts int not null default 0,
  next_attempt_at timestamptz not null,
  expires_at timestamptz not null,
  gateway text,
  gateway_id text,
  reason text,
  last_error text,
  created_at timestamptz not null,
  finished_at timestamptz
);
comment on table messages is 'Written in the transaction of what causes them, so a message is neither lost nor sent for something that did not happen.';
comment on column messages.target_hash is 'Keyed hash of the address or number, for the limits; the address itself is shown masked.';
comment on column messages.sealed is 'Address and values (a verification code among them), encrypted; gone as soon as the message is sent, failed or expired.';
comment on column messages.gateway is 'What the last attempt went through: smtp, aliyun, tencent, gateway, outbox; gateway_id is what that one called it.';
comment on column messages.reason is 'Why the last attempt failed, as a word; last_error holds the words of the other side, without address and values.';
create index messages_due on messages (channel, expires_at) where state = 'pending';
create index messages_target on messages (target_hash, created_at desc);
create index messages_created on messages (channel, created_at desc);
create index messages_user on messages (user_id, created_at desc);

create table message_gateways (
  channel text primary key check (channel in ('mail', 'sms')),
  failures int not null,
  down_until timestamptz,
  last_reason text
);
comment on table message_gateways is 'Failures in a row of what sends a channel''s messages; after some of them it rests until down_until, and is called down.';

create table outbox_messages (
  id uuid primary key,
  sealed text not null,
  created_at timestamptz not null
);
comment on table outbox_messages is 'Where messages of a demo go when no mail server or SMS provider is configured: the newest few, encrypted.';
create index outbox_messages_created on outbox_messages (created_at desc);
