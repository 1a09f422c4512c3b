-- What a person lost access to ------------------------------------------------------------------------------------------

create unlogged table access_changes (
  id bigint generated always as identity primary key,
  application_id uuid,
  user_id uuid
);
comment on table access_changes is 'Whose access may have become less: an application, a person, or (both empty) everybody. A job looks at what these have open and tells the applications concerned; the gate itself reads the grants and needs none of this. Lost in a crash at worst: then an application hears of it when the session ends.';

create function note_lost_grants() returns trigger language plpgsql as $$
begin
  insert into access_changes (application_id) select distinct application_id from former;
  return null;
end $$;
create trigger application_grants_deleted after delete on application_grants
  referencing old table as former for each statement execute function note_lost_grants();
create trigger application_grants_updated after update on application_grants
  referencing old table as former for each statement execute function note_lost_grants();

create function note_closed_application() returns trigger language plpgsql as $$
begin
  insert into access_changes (application_id) values (new.id);
  return null;
end $$;
create trigger applications_closed after update of enabled, type on applications
  for each row when (old.enabled and not new.enabled or old.type = 'whitelist' and new.type <> 'whitelist')
  execute function note_closed_application();

-- Only people with an open session: a nightly import changes thousands who have none.
create function note_former_members() returns trigger language plpgsql as $$
begin
  insert into access_changes (user_id)
  select distinct f.user_id from former f
  where exists (select from sso_sessions s where s.user_id = f.user_id and s.ended_at is null);
  return null;
end $$;
create trigger role_members_deleted after delete on role_members
  referencing old table as former for each statement execute function note_former_members();

create function note_moved_person() returns trigger language plpgsql as $$
begin
  insert into access_changes (user_id)
  select new.id where exists (select from sso_sessions s where s.user_id = new.id and s.ended_at is null);
  return null;
end $$;
-- By column and row: a login updates its person too, and must not pay for this.
create trigger users_moved after update of organization_id, category_id on users
  for each row when (old.organization_id is distinct from new.organization_id or old.category_id is distinct from new.category_id)
  execute function note_moved_person();

create function note_moved_organizations() returns trigger language plpgsql as $$
begin
  insert into access_changes (application_id) values (null);
  return null;
end $$;
create trigger organizations_moved after update of ancestor_ids on organizations
  for each statement execute function note_moved_organizations();

create index application_grants_until on application_grants (valid_until) where valid_until is not null;

-- Ways to what is deleted or shown by something else than its key -------------------------------------------------------

create index oidc_access_tokens_session on oidc_access_tokens (sso_session_id) where sso_session_id is not null;
create index oidc_revoked_grants_at on oidc_revoked_grants (revoked_at);
create index logout_deliveries_front on logout_deliveries (sso_session_id, id) where state = 'pending' and channel = 'front-channel';

-- Old clients of /oauth2.0/accessToken -----------------------------------------------------------------------------------

alter table applications
  add column token_style text not null default 'json' check (token_style in ('json', 'text'));
comment on column applications.token_style is 'Answer of /oauth2.0/accessToken: JSON, or a form-encoded line for clients that know nothing else.';

-- Personnel nature (on the staff, visiting, on contract …) --------------------------------------------------------------

create table personnel_natures (
  id uuid primary key,
  code text not null unique,
  name text not null,
  names jsonb not null default '{}',
  position int not null default 0
);
alter table users add column personnel_nature_id uuid references personnel_natures;
create index users_personnel_nature on users (personnel_nature_id);
create index users_category on users (category_id);
