-- How often each beginning and each character is, for the searches of people --------------------------------------------
-- What the partial indexes of 0015 know of it the planner does not use; without it it takes every search for a rare one.

create statistics users_account_searched on (lower(account)) from users;
create statistics users_name_searched on (name_grams(name)) from users;
create statistics users_phone_searched on (reverse(phone)) from users;
create statistics users_mailbox_searched on (lower(mailbox)) from users;
analyze users;
