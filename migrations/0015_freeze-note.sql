alter table users add column freeze_note text;
comment on column users.freeze_note is 'Why the account is frozen, for colleagues; freeze_reason is what the person is told.';
