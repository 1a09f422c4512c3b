import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = {
  /** @param route the pattern, never the path: paths are without end. */
  observeRequest(method: string, route: string, status: number, seconds: number): void
  /** Adds one to a counter of a feature. @param labels few values each: every combination is kept for ever. */
  increment(name: string, help: string, labels: Record<string, string>): void
  /** A figure of a feature, read when somebody asks for the metrics. */
  gauge(name: string, help: string, label: string, read: () => Promise<Record<string, number>>): void
  /** A figure that only grows and is counted elsewhere. */
  counterFrom(name: string, help: string, read: () => number): void
  contentType: string
  text(): Promise<string>
}

/** What Prometheus reads: the process, every answer by route and status, and what features count. */
export function createMetrics(draining: { readonly isDraining: boolean }): Metrics {
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
      this.set(draining.isDraining ? 1 : 0)
    },
  })
  const counters = new Map<string, Counter>()
  return {
    increment(name, help, labels) {
      const known = counters.get(name)
      const counter = known ?? new Counter({ name, help, labelNames: Object.keys(labels), registers: [registry] })
      counters.set(name, counter)
      counter.inc(labels)
    },
    gauge(name, help, label, read) {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers: [registry],
        async collect() {
          this.reset()
          // Without the database the other figures are wanted all the more.
          const values = await read().catch(() => ({}))
          for (const [key, value] of Object.entries(values)) this.set({ [label]: key }, value)
        },
      })
    },
    counterFrom(name, help, read) {
      new Counter({
        name,
        help,
        registers: [registry],
        collect() {
          this.reset()
          this.inc(read())
        },
      })
    },
    observeRequest: (method, route, status, seconds) => answers.observe({ method, route, status }, seconds),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}
