-- The list of dormant people from its indexes alone: of a million people some 50,000 are dormant, and each lay on a page of its own.

drop index users_dormant;
create index users_dormant on users (account) include (id, name, name_pinyin, name_initials, organization_id, created_at, dormant_since)
  where dormant_since is not null and deleted_at is null;

drop index users_dormant_since;
create index users_dormant_since on users (dormant_since, account) include (id, organization_id)
  where dormant_since is not null and deleted_at is null;
