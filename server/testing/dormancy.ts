import { startSweep, sweepTask } from '../features/dormancy/index.ts'
import type { TestServer } from './server.ts'
import { runTasks, taskEnd } from './tasks.ts'

/** The dormancy run of a night. @returns its task */
export async function dormancyNight(
  server: TestServer,
  start: () => Promise<unknown> = () => startSweep(server.platform),
) {
  await start()
  const [row] = await server.platform.sql<{ id: string }[]>`
    select id from background_tasks where kind = 'dormancy.sweep' order by created_at desc, id desc limit 1`
  const running = await runTasks(server, [sweepTask])
  const task = await taskEnd(server, row?.id ?? '')
  await running.stop()
  return task
}
