-- Authorization codes are rows, written with the entry that they stand for and read with its session. The rows that every hop writes no
-- longer reference the application: it is never deleted, and checking locked its one row for all hops at once.

create unlogged table oidc_codes (
  code_hash bytea primary key,
  sso_session_id uuid not null,
  application_id uuid not null,
  value jsonb not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  uses integer not null default 0
);
comment on table oidc_codes is 'Kept for minutes after its expiry, so that a second use is detected. Lost in a crash; people then enter the application again.';
create index oidc_codes_issued on oidc_codes (issued_at);

alter table session_services drop constraint session_services_application_id_fkey;
alter table session_clients drop constraint session_clients_application_id_fkey;
alter table oidc_refresh_tokens drop constraint oidc_refresh_tokens_application_id_fkey;
