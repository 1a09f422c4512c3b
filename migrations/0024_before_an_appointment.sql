-- What was issued before somebody came to administer --------------------------------------------------------------------

alter table users add column appointed_at timestamptz;
comment on column users.appointed_at is 'When somebody last got more to administer: codes and recoveries from before are worth nothing.';

alter table third_party_accounts add column matched boolean not null default false;
comment on column third_party_accounts.matched is 'Bound by the word of the provider alone; super users are never bound so.';

update third_party_accounts a set matched = true
from third_party_providers p, audit_records r
where p.id = a.provider_id and r.user_id = a.user_id and r.at = a.bound_at and r.action = 'third-party.bind'
  and r.actor = 'provider ' || p.key;
