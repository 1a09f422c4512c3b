-- Applications that were deleted and may come back -----------------------------------------------------------------------

alter table applications add column deleted_at timestamptz;
comment on column applications.deleted_at is 'Deleted, and so closed too: nobody finds it but who looks for deleted ones. Its records keep its name, its grants wait.';
alter table applications add constraint applications_deleted_closed check (deleted_at is null or not enabled);

create index applications_name on applications (name, id);
create index applications_updated on applications (updated_at, id);
