-- The list of dormant people: in the order in which they became so, who is exempt, and whose term ends soon.

create index users_dormant_since on users (dormant_since, account) where dormant_since is not null and deleted_at is null;
create index users_dormancy_exempt on users (account) where dormancy_exempt_until is not null and deleted_at is null;
create index dormancy_notices_due on dormancy_notices (due_at);
comment on column users.dormancy_exempt_until is
  'Not made dormant, and not locked for dormancy, before this. Infinity: until an administrator ends the exemption.';
