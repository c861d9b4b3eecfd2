/**
 * A scan child with the engine's own body and modules that end it. FAULTS_DEADLY says how: `hard=kill,soft=exit`; `calm` and
 * `steady` harm nobody, and run beside the others.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { serveScan } from '../../src/engine/scan-process.ts'
import { check, definition, fakeModule, finding } from '../../src/engine/testing/modules.ts'
import type { AnyModule } from '../../src/modules/any-module.ts'

const DEADLY: Readonly<Record<string, () => unknown>> = {
  kill: () => process.kill(process.pid, 'SIGKILL'),
  exit: () => process.exit(9),
  abort: () => process.abort(),
  memory: () => {
    const kept: unknown[] = []
    for (;;) kept.push(Array.from({ length: 1_000 }, () => ({})))
  },
  spin: () => {
    for (;;);
  },
  late: () =>
    setTimeout(() => {
      throw new Error('late')
    }, 50),
  reject: () => void Promise.reject(new Error('forgotten')),
}

const ways = new Map((process.env.FAULTS_DEADLY ?? '').split(',').map((pair) => pair.split('=') as [string, string]))

const module = (id: string, milliseconds: number): AnyModule => {
  const found = definition(`${id}/found`)
  return fakeModule(id, {
    budget: { requests: 10, seconds: 60 },
    checks: [check([found], () => [finding(found)])],
    collect: async () => {
      // All of them are at work when the first one dies.
      await delay(milliseconds)
      DEADLY[ways.get(id) ?? '']?.()
      await delay(200)
      return { of: id }
    },
  })
}

serveScan([module('calm', 100), module('hard', 500), module('soft', 700), module('steady', 900)])
