import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = {
  /** @param route the pattern, never the path, of which there are infinitely many */
  observeRequest(method: string, route: string, status: number, seconds: number): void
  /** Increments a counter of a feature. @param labels with few values each: every combination is kept forever */
  increment(name: string, help: string, labels: Record<string, string>): void
  /** A gauge of a feature, read when the metrics are scraped. */
  gauge(name: string, help: string, label: string, read: () => Promise<Record<string, number>>): void
  /** A counter that is kept elsewhere. */
  counterFrom(name: string, help: string, read: () => number): void
  contentType: string
  text(): Promise<string>
}

/** What Prometheus scrapes: the process, every answer by route and status, and the features' metrics. */
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
          // Without the database the other metrics matter all the more.
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
