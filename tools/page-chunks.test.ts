import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pageModules } from './page-chunks.ts'

const source = (name: string) => new URL(`../web/${name}`, import.meta.url)

test('the head of each back-office page lists the files of that page, also where several share them', () => {
  const modules = pageModules()
  const tables = readdirSync(source('app')).filter((name) => name.endsWith('-routes.ts'))
  const routes = tables.flatMap((name) => readFileSync(source(`app/${name}`), 'utf8').split('createRoute('))
  const lazy = routes.filter((route) => route.includes('lazyRouteComponent(') && route.includes('path: '))
  const addresses = lazy.map((route) => `/manage${/path: '([^']+)'/.exec(route)?.[1]}`)
  expect(addresses.length).toBeGreaterThan(40)
  for (const address of addresses.filter((one) => one !== '/manage/$' && one !== '/manage/manage')) {
    expect(modules[address]?.length, address).toBe(2)
    for (const module of modules[address] ?? []) expect(existsSync(source(module)), module).toBe(true)
  }
})
