-- The list of dormant people: the exempt of a part, and those who never logged in. No index may hold last_login_at, which every login writes.

create index users_exempt_of_part on users (organization_id) where dormancy_exempt_until is not null and deleted_at is null;

alter table users add column dormant_unused boolean not null default false;
comment on column users.dormant_unused is 'Dormant without ever having logged in: nobody logs in and stays dormant. Kept by a trigger.';

create function note_dormant_unused() returns trigger language plpgsql as $$
begin
  new.dormant_unused := new.dormant_since is not null and new.last_login_at is null;
  return new;
end $$;
create trigger users_dormant_inserted before insert on users
  for each row when (new.dormant_since is not null) execute function note_dormant_unused();
create trigger users_dormant_changed before update of dormant_since on users
  for each row when (old.dormant_since is distinct from new.dormant_since) execute function note_dormant_unused();
update users set dormant_unused = true where dormant_since is not null and last_login_at is null;
create index users_dormant_unused on users (account) where dormant_unused and deleted_at is null;
