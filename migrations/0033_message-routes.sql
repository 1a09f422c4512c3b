-- Messages by further channels, in an order with fall-over, and how many leave by each on a day.

alter table messages drop constraint messages_channel_check;
alter table messages add constraint messages_channel_check check (channel in ('mail', 'sms', 'wecom', 'dingtalk', 'http'));
alter table messages add column route_id uuid;
alter table messages add column fall_over_at timestamptz;
comment on column messages.route_id is 'The first message of the route that this one continues; null: it is the first, or the only one.';
comment on column messages.fall_over_at is 'From then on the next channel of the route has its turn, unless an attempt is under way; null: there is no next one.';
create index messages_fall_over on messages (fall_over_at) where state = 'pending' and fall_over_at is not null;
create index messages_log on messages (created_at desc, id desc);

alter table message_gateways drop constraint message_gateways_channel_check;
alter table message_gateways add constraint message_gateways_channel_check
  check (channel in ('mail', 'sms', 'wecom', 'dingtalk', 'http'));

create table message_usage (
  channel text not null,
  day date not null,
  used int not null,
  primary key (channel, day)
);
comment on table message_usage is 'Messages that were handed over or tried, of a day in the institution''s time zone: what quotas are compared with.';
