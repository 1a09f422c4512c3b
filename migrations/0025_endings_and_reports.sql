-- Organisations that are merged or deleted in the background ---------------------------------------------------------------

create table organization_endings (
  task_id uuid primary key references background_tasks on delete cascade,
  organization_id uuid not null,
  kind text not null check (kind in ('merge', 'delete')),
  taker_ids uuid[] not null,
  people int not null default 0,
  secondary_members int not null default 0,
  result jsonb
);
comment on table organization_endings is 'While its task is queued or running, nothing is put into the organisation or changed about it. What ends the task, ends this too: there is nothing to clean up.';
comment on column organization_endings.taker_ids is 'The organisations that people and children go to: they stay as long.';
comment on column organization_endings.people is 'How many have gone over so far, as secondary_members: a task that is cut off and goes on still knows.';
comment on column organization_endings.result is 'Written when the organisation goes: a task that is cut off right after it has nothing left to do.';
create index organization_endings_organization on organization_endings (organization_id);

-- Why a background task ended ----------------------------------------------------------------------------------------------

alter table background_tasks add column error_params jsonb not null default '{}';
comment on column background_tasks.error_params is 'Values for the words of the refusal, such as the name of what it is about.';

-- Categories of applications can be put back to a former state -----------------------------------------------------------

alter table application_categories add column version int not null default 1;
