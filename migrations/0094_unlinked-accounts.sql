-- A person who unlinks an account is not linked again on the provider's word alone.

create table third_party_unlinked (
  user_id uuid not null references users on delete cascade,
  provider_id uuid not null references third_party_providers on delete cascade,
  unlinked_at timestamptz not null,
  primary key (user_id, provider_id)
);
create index third_party_unlinked_provider on third_party_unlinked (provider_id);
comment on table third_party_unlinked is 'Who unlinked their account at a provider, until they link one there themselves: automatic linking passes them over.';
