import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Platform } from './platform.ts'

export type Metrics = {
  /** @param route the pattern, never the path: paths are without end. */
  answered(method: string, route: string, status: number, seconds: number): void
  contentType: string
  text(): Promise<string>
}

/** What Prometheus reads: the process, and every answer by route and status. */
export function createMetrics(platform: Platform): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const answers = new Histogram({
    name: 'gatehouse_http_request_seconds',
    help: 'Time from the arrival of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  new Gauge({
    name: 'gatehouse_draining',
    help: '1 from SIGTERM on',
    registers: [registry],
    collect() {
      this.set(platform.draining.yes ? 1 : 0)
    },
  })
  return {
    answered: (method, route, status, seconds) => answers.observe({ method, route, status }, seconds),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}
