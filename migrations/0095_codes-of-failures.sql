-- The other side's own code of a failure is kept where it arises: read from the words of the failure it was often a word or a status.

alter table messages add column error_code text;
comment on column messages.error_code is 'The other side''s code of the last failure, such as 81013 or isv.AMOUNT_NOT_ENOUGH; null: it gave none.';

-- Streams of records name the problems of their network as everything else does.

update log_streams set problem = case problem
    when 'closed' then 'connection-refused'
    when 'unknown-name' then 'no-such-host'
    when 'tls' then case when problem_words ~* 'cert|altname|issuer' then 'certificate' else 'no-encryption' end
  end
where problem in ('closed', 'unknown-name', 'tls');
