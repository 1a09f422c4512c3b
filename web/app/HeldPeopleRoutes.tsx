import { FreezeAccountPage } from '../features/users/FreezeAccountPage.tsx'
import type { HeldPeopleSlots } from '../features/users/HeldPeopleList.tsx'
import { LazyPersonDrawer } from '../features/users/LazyPersonDrawer.tsx'
import { LockListPage } from '../features/users/LockListPage.tsx'
import { SleepAccountPage } from '../features/users/SleepAccountPage.tsx'
import { PERSON_SLOTS } from './person-slots.tsx'
import { TaskDialog } from './TaskDialog.tsx'

const SLOTS: HeldPeopleSlots = {
  task: (id, onClose) => <TaskDialog id={id} onClose={onClose} />,
  person: (id, onClose) => <LazyPersonDrawer id={id} slots={PERSON_SLOTS} onClose={onClose} />,
}

/** The lists of dormant, locked and frozen people, with what other features know of each person. */
export const SleepAccountRoute = () => <SleepAccountPage {...SLOTS} />
export const LockListRoute = () => <LockListPage {...SLOTS} />
export const FreezeAccountRoute = () => <FreezeAccountPage {...SLOTS} />
