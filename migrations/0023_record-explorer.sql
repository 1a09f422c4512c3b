-- What the log centre looks for. Of visits the refused ones are kept too.

alter table login_records add column second_factor text
  check (second_factor in ('totp', 'recovery', 'passkey', 'device'));
comment on column login_records.second_factor is 'The second factor that the login was proved with; device: a trusted browser.';
create index login_records_ip on login_records (ip, at);
create index login_records_account on login_records (account text_pattern_ops, at);
create index login_records_application on login_records (application_id, at);
create index login_records_failed on login_records (at, id) where not succeeded;

alter table visit_records add column ip_range text;
alter table visit_records add column refusal text;
comment on column visit_records.ip_range is 'What the range of the address was called at that time.';
comment on column visit_records.refusal is 'Why the application was not entered, as the gate says it; null: it was.';
-- Visits of an application are counted from the index alone.
drop index visit_records_application;
create index visit_records_application on visit_records (application_id, at desc) include (refusal);
create index visit_records_ip on visit_records (ip, at);
create index visit_records_refused on visit_records (at, id) where refusal is not null;
