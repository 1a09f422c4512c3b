-- Where the institution has its mailboxes, and whose address is made how.

create table corporate_mailbox (
  -- There is one.
  id int primary key default 1 check (id = 1),
  version int not null default 1,
  enabled boolean not null,
  settings jsonb not null,
  secrets text not null,
  rules jsonb not null,
  updated_at timestamptz not null
);
comment on column corporate_mailbox.secrets is 'What of the settings nobody gets to read, encrypted with SECRET_KEY.';
