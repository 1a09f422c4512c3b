-- Administrators of some organisations ----------------------------------------------------------------------------------

create table delegations (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  organization_id uuid not null references organizations on delete cascade,
  powers text[] not null check (powers <@ '{edit,unlock,reset,import,authorise}'),
  valid_from timestamptz,
  valid_until timestamptz,
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (user_id, organization_id)
);
comment on table delegations is 'Who administers an organisation with all below it, beside the super users: what they may do there, and how long.';
create index delegations_organization on delegations (organization_id);
