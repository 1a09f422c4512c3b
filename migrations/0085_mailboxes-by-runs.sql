-- Runs create and disable mailboxes at a mail provider, as they write people into an address book.

alter table book_syncs drop constraint book_syncs_vendor_check;
alter table book_syncs
  add constraint book_syncs_vendor_check check (vendor in ('qywx', 'dingding', 'exmail', 'coremail')),
  add constraint book_syncs_no_mailbox_deleted check (leavers <> 'delete' or vendor not in ('exmail', 'coremail')),
  add column mode text not null default 'on' check (mode in ('off', 'preview', 'on')),
  add column coremail jsonb;
create unique index book_syncs_one_mail_provider on book_syncs ((true)) where vendor in ('exmail', 'coremail');
comment on column book_syncs.mode is 'Off: no runs. Preview: runs plan and write nothing.';
comment on column book_syncs.coremail is 'Organisation, provider and class of service of new mailboxes; null for other vendors.';

alter table book_rows add column is_undo_attempted boolean not null default false;
comment on column book_rows.is_undo_attempted is 'The vendor may have received the call that undoes it.';
