-- Proofs of identity, and what becomes of a login alias ---------------------------------------------------------------

create table identity_proofs (
  portal_session_id uuid primary key references portal_sessions on delete cascade,
  method text not null,
  proved_at timestamptz not null
);
comment on table identity_proofs is 'The last time that the person at this portal session proved again who they are. Good for a few minutes, for this session only, and not beyond a change of the password (passwords.changed_at).';

create table alias_holdings (
  canonical text not null,
  user_id uuid not null references users on delete cascade,
  taken_at timestamptz not null,
  released_at timestamptz,
  primary key (canonical, user_id, taken_at)
);
comment on table alias_holdings is 'Who had which login alias when. A released one stays reserved for a while: whoever took it at once could be taken for its former holder.';
create index alias_holdings_user on alias_holdings (user_id, taken_at);
