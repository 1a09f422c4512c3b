alter table users add column id_number text;
comment on column users.id_number is 'Number of an identity document, sealed: it proves who somebody is at the activation and is shown to nobody in full.';

-- Every feature that throttles brings a kind of its own.
alter table attempt_counters drop constraint if exists attempt_counters_kind_check;
alter table attempt_counters add constraint attempt_counters_kind_check check (kind ~ '^[a-z]+(-[a-z]+)*$');

create table activation_flows (
  id uuid primary key,
  browser text not null unique,
  user_id uuid not null references users on delete cascade,
  progress int not null default 0,
  steps jsonb not null default '{}',
  proven text[] not null default '{}',
  knows_secret boolean not null,
  password_hash text,
  answers jsonb,
  phone text,
  mailbox text,
  opened_at timestamptz not null,
  expires_at timestamptz not null,
  completed_at timestamptz
);
comment on table activation_flows is 'Activations under way, one a browser. What a person sets on the way waits here, sealed or hashed, and becomes true all at once at the end.';
comment on column activation_flows.browser is 'The hash of the browser cookie: a flow goes on only where it began.';
comment on column activation_flows.progress is 'Counts the steps taken; the proof that the next call must bring is made from it.';
comment on column activation_flows.steps is 'What became of each step: done or skipped.';
comment on column activation_flows.proven is 'Channels on file to which a code was sent and came back: sms, mail.';
comment on column activation_flows.knows_secret is 'The information check held something that strangers do not know, such as the ID number.';
comment on column activation_flows.phone is 'To be bound, sealed; likewise the mailbox.';
create index activation_flows_user on activation_flows (user_id);
create index activation_flows_expiry on activation_flows (expires_at);
