import { v7 } from 'uuid'
import { type Platform, systemContext } from '../../platform/platform.ts'
import { type QueuePoller, runWorkQueue } from '../../platform/work-queue.ts'
import { QUEUE } from './log-streams.store.ts'
import { claimStreams } from './stream-claims.store.ts'
import { deliverStream } from './stream-delivery.service.ts'

/** Sends what is due, each stream by one node, every few seconds and whenever a stream changes. */
export async function startLogStreams(platform: Platform): Promise<{ stop(): Promise<void> }> {
  const sender = v7()
  let isStopping = false
  const queue = await runWorkQueue(platform, {
    channel: QUEUE,
    name: 'log streams',
    claimDue: (looking) => sendDue(platform, { sender, isStopping: () => isStopping }, looking),
  })
  return {
    stop() {
      isStopping = true
      return queue.stop()
    },
  }
}

type Node = { sender: string; isStopping: () => boolean }

async function sendDue(platform: Platform, { sender, isStopping }: Node, looking: QueuePoller): Promise<void> {
  const ctx = systemContext(platform)
  for (const { id } of await claimStreams(ctx.db, { sender, now: ctx.now() })) {
    looking.track(deliverStream(ctx, { id, sender }, isStopping))
  }
}
