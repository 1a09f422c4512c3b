alter table users add column freeze_cause text
  check (freeze_cause in ('leave', 'suspension', 'graduated', 'security', 'other'));
comment on column users.freeze_cause is 'Why the account is frozen, in one of a few words; freeze_reason is the text beside it. Null: frozen before the words were.';
