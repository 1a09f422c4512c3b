-- Phones and mailboxes that an administrator below a super user wrote down: at first they lead nowhere ------------------

alter table users add column phone_given_at timestamptz, add column mailbox_given_at timestamptz;
comment on column users.phone_given_at is 'When an administrator below a super user wrote the phone down; null: somebody else did, or the person has confirmed it.';
comment on column users.mailbox_given_at is 'As phone_given_at.';

-- The numbers of deleted people: only super users give them to somebody else
create index users_former on users (lower(account)) where deleted_at is not null;
