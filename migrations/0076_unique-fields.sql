-- Names, nicknames and ID numbers that nobody shares, where a rule of their field says so, and what an activation asks for beside.

alter table users add id_number_mac bytea;
comment on column users.id_number_mac is 'Keyed hash of the ID number, to find who has the same; null: not made yet; empty: the number can’t be read.';
-- With those that have none yet: the job that makes them finds them here.
create index users_id_number on users (id_number_mac) where id_number is not null and deleted_at is null;
create index users_name on users (lower(name)) where deleted_at is null;
create index users_nickname on users (lower(nickname)) where nickname is not null and deleted_at is null;

alter table activation_flows add profile text;
comment on column activation_flows.profile is 'Required fields that were filled in, sealed.';

-- A version that knows no hash, beside this one during an upgrade, leaves the hash of the former number behind: the job makes it anew.
create function forget_id_number_mac() returns trigger language plpgsql as $$
begin
  new.id_number_mac := null;
  return new;
end $$;
create trigger users_id_number_mac_forgotten before update of id_number on users
  for each row when (old.id_number is distinct from new.id_number and old.id_number_mac is not distinct from new.id_number_mac)
  execute function forget_id_number_mac();
