export { mountBackgroundTasks } from './background-tasks.routes.ts'
export {
  cancelBackgroundTask,
  deleteOldTasks,
  getTask,
  startScheduledTask,
  startTask,
} from './background-tasks.service.ts'
export { defineTask, type RunningTask, startTasks, type Task } from './task-runner.service.ts'
export { StoppedError, waitIn } from './task-wait.service.ts'
