-- Uploads and personal data.

alter table files add column pending boolean not null default false;
comment on column files.pending is 'Uploaded but not used by anything yet: deleted after a day.';
create index files_pending on files (created_at) where pending;
create index files_owner on files (owner_id, purpose) where owner_id is not null;

-- Deleting a file asks whether anyone still shows it.
create index users_avatar on users (avatar_id) where avatar_id is not null;
