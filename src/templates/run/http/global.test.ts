/** Matchers over the answers to other templates. */
import { describe, expect, it } from 'vitest'
import { collectContext } from '../../../modules/testing/collecting.ts'
import { vocabularyOf } from '../../language/vocabulary.ts'
import { controlHit } from '../control.ts'
import { runAll } from '../run-all.ts'
import type { RunParts } from '../run-template.ts'
import { schedule } from '../schedule.ts'
import { caseAddress, caseTarget, serveTemplateCase, templateOf } from '../testing/template-case.ts'
import { targetOf } from '../values.ts'
import { createHttpClient } from './client.ts'

const ADDRESS = caseAddress(83)

const asking = (path: string) =>
  templateOf(
    `http:\n  - method: GET\n    path: ["{{BaseURL}}${path}"]\n    matchers: [{type: word, words: [nowhere to be found]}]`,
  )
const WATCHING = templateOf(
  'http:\n  - global-matchers: true\n    matchers: [{type: regex, name: key, regex: ["key-[0-9]{6}"]}]\n',
)

const run = async (pages: (path: string, times: number) => string) => {
  const times = new Map<string, number>()
  const served = await serveTemplateCase(ADDRESS, (request, response) => {
    const path = request.url ?? ''
    times.set(path, (times.get(path) ?? 0) + 1)
    response.end(pages(path, times.get(path) ?? 0))
  })
  const { ctx, close } = collectContext(ADDRESS, { module: 'templates', requests: 100, port: served.port })
  try {
    const templates = [asking('/a'), asking('/b'), asking('/c'), WATCHING]
    const client = createHttpClient(ctx.egress, vocabularyOf(templates))
    const parts: RunParts = {
      egress: ctx.egress,
      client,
      signal: ctx.signal,
      browser: ctx.browser,
      given: new Map(),
      readList: () => null,
      listener: null,
    }
    const target = targetOf(caseTarget(served.port))
    const limits = {
      until: performance.now() + 20_000,
      progress: () => undefined,
      fault: (error: unknown) => {
        throw error
      },
    }
    const ran = await runAll(schedule(templates, target), target, parts, limits)
    const hits = (await Promise.all(ran.outcomes.map(({ outcome }) => outcome.pending(0)))).flat()
    const controls = await Promise.all(hits.map((hit) => controlHit(hit, WATCHING, target, parts)))
    return { hits: hits.map(({ at, name }) => `${new URL(at.url ?? '').pathname} ${name}`), controls, ran }
  } finally {
    await close()
    await served.close()
  }
}

describe('matchers over the answers of others', () => {
  it('see each of them, and are asked again', async () => {
    const { hits, controls, ran } = await run((path) => (path === '/b' ? 'here is key-123456' : `page ${path}`))
    expect(hits).toEqual(['/b key'])
    expect(controls).toEqual([{ again: true, sibling: null }])
    expect(ran).toMatchObject({ run: 4, skipped: 0 })
  })

  it('what is gone the second time is refuted', async () => {
    const { controls } = await run((path, times) => (path === '/b' && times === 1 ? 'here is key-123456' : 'page'))
    expect(controls).toEqual([{ again: false, sibling: null }])
  })

  it('the same page in many places counts once', async () => {
    const { hits } = await run(() => `${'x'.repeat(100)} key-654321`)
    expect(hits).toHaveLength(1)
  })
})
