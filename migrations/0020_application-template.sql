alter table applications add column template text;
comment on column applications.template is 'The product of the gallery that the application was made from; null: by hand, or by a file.';
