alter table sso_sessions add column profile_due boolean not null default false;
comment on column sso_sessions.profile_due is 'Opened while the person lacked a field that a rule requires: valid for completing it, until nothing lacks any more.';
