import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CookiePurposes, openCookiePurposes } from './cookies.ts'
import { importFeed } from './feeds/import.ts'

const entry = (category: string, cookie: string, domain = '', wildcardMatch = '0') => ({
  ...{ category, cookie, domain, wildcardMatch, description: 'Said.', retentionPeriod: '1 year' },
})
const DATABASE = {
  'Acme Analytics': [entry('Analytics', '_acme_', '', '1'), entry('Functional', '_acme_choice')],
  'Acme Ads': [
    entry('Marketing', 'id', '.acme-ads.example (3rd party) or .acme2.example (3rd party)'),
    entry('Marketing', '_acme_ads_', '', '1'),
    entry('Marketing', '_fbp', 'facebook.example (3rd party)'),
  ],
}

let folder: string
let purposes: CookiePurposes
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-cookies-'))
  writeFileSync(join(folder, 'cookies.json'), JSON.stringify(DATABASE))
  importFeed(folder, 'cookies', join(folder, 'cookies.json'), new Date())
  purposes = openCookiePurposes(folder)
})
afterAll(() => {
  purposes.close()
  rmSync(folder, { recursive: true, force: true })
})

const said = (from: CookiePurposes, name: string, domain: string) => {
  const purpose = from.cookiePurpose(name, domain)
  return purpose && [purpose.category, purpose.vendor, purpose.by, purpose.source]
}

describe('an imported database', () => {
  it.each([
    ['a beginning', '_acme_1f3', 'shop.test', ['analytics', 'Acme Analytics', 'name', 'imported']],
    ['a longer beginning', '_acme_ads_9', 'shop.test', ['marketing', 'Acme Ads', 'name', 'imported']],
    [
      'a whole name before a beginning',
      '_acme_choice',
      'shop.test',
      ['functional', 'Acme Analytics', 'name', 'imported'],
    ],
    ['the domain with a dot', 'id', '.acme2.example', ['marketing', 'Acme Ads', 'domain', 'imported']],
    ['below the domain', 'id', 'px.acme-ads.example', ['marketing', 'Acme Ads', 'domain', 'imported']],
    ['a common name on another domain', 'id', 'shop.test', null],
    ['a domain that only ends alike', 'id', 'notacme2.example', null],
    ['not of this domain, but in our own list', '_fbp', 'shop.test', ['marketing', 'Meta', 'name', 'built-in']],
  ])('%s', (_trick, name, domain, expected) => {
    expect(said(purposes, name, domain)).toEqual(expected)
  })
})

describe('the built-in list', () => {
  it.each([
    ['a stream of Google Analytics', '_ga_ABC123', ['analytics', 'Google Analytics', 'name', 'built-in']],
    ['a session', 'PHPSESSID', ['necessary', 'PHP', 'name', 'built-in']],
    ['a star inside', 'ph_phc_x_posthog', ['analytics', 'PostHog', 'name', 'built-in']],
    ['a longer name', 'PHPSESSID2', null],
    ['unknown', 'theme', null],
    ['a name with signs of patterns', 'a+(b', null],
  ])('%s', (_trick, name, expected) => {
    expect(said(openCookiePurposes(undefined), name, 'shop.test')).toEqual(expected)
  })
})
