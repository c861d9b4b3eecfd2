import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { importPackedFeed } from '../../knowledge/feeds/import.ts'
import { loadKnowledge } from './knowledge.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-privacy-feeds-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const bring = async (name: string, text: string): Promise<void> => {
  const path = join(folder, name)
  writeFileSync(path, text)
  await importPackedFeed(join(folder, 'knowledge'), null, path, new Date())
}

test('a filter list that was imported names trackers that the table does not know', async () => {
  await bring('easy.txt', '[Adblock Plus 2.0]\n! Title: Easy\n||unheard.test^$third-party\n')
  const { trackers, close } = loadKnowledge(join(folder, 'knowledge'))
  const request = { url: 'https://unheard.test/t.js', page: 'https://shop.test/', type: 'script' }
  expect(trackers.listed(request)).toBe('easy')
  expect(trackers.listed({ ...request, url: 'https://other.test/t.js' })).toBeNull()
  expect(Object.keys(trackers.versions).toSorted()).toEqual(['cookies', 'filters', 'vendors'])
  close()
})

test('an imported database of cookies goes before the own table', async () => {
  const entry = {
    id: '1',
    domain: '',
    description: 'Ours',
    retentionPeriod: '1 day',
    dataController: 'Shop',
    privacyLink: '',
    wildcardMatch: '0',
  }
  await bring(
    'cookies.json',
    JSON.stringify({
      Shop: [
        { ...entry, category: 'Functional', cookie: '_ga' },
        { ...entry, category: 'Marketing', cookie: 'zq_', wildcardMatch: '1' },
      ],
    }),
  )
  const { trackers, close } = loadKnowledge(join(folder, 'knowledge'))
  expect(trackers.cookieOf('_ga', 'shop.test')).toMatchObject({ purpose: 'functional' })
  expect(trackers.cookieOf('zq_12', 'shop.test')).toMatchObject({
    purpose: 'marketing',
    source: 'the imported database of cookies',
  })
  close()
})

test('without feeds the own table speaks', () => {
  const { trackers, close } = loadKnowledge(undefined)
  expect(trackers.cookieOf('_ga', 'shop.test')).toMatchObject({ purpose: 'analytics' })
  expect(trackers.listed({ url: 'https://unheard.test/', page: 'https://shop.test/', type: 'script' })).toBeNull()
  close()
})
