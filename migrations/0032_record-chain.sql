-- The evidence that records are as they were written: each hour's digest covers the one before, and is sealed with a key that the
-- database does not have.

create table record_chain (
  log text not null check (log in ('login', 'visit', 'audit')),
  -- Up to a moment: the hour before it.
  until timestamptz not null,
  rows int not null,
  digest text not null,
  seal text not null,
  primary key (log, until)
);
comment on column record_chain.digest is 'SHA-256 (hex) over the digest of the hour before and the lines of this one.';
comment on column record_chain.seal is 'Hour, number of lines, both digests, encrypted with SECRET_KEY.';
