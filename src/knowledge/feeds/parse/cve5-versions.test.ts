import { describe, expect, it } from 'vitest'
import { dictionaryNames } from '../../cve/assigners.ts'
import { affectedRanges } from '../../cve/spans.ts'
import { inRange } from '../../versions/version.ts'
import { parseCve5 } from './cve5.ts'
import { type StatedVersion, schemeOfAll, spansOfAll } from './cve5-versions.ts'

const affected = (version: string, more: Partial<StatedVersion> = {}): StatedVersion => ({
  ...{ version, status: 'affected' },
  ...more,
})

const isAffected = (versions: readonly StatedVersion[], version: string): boolean => {
  const scheme = schemeOfAll(versions)
  return affectedRanges(spansOfAll(versions, scheme), scheme, false).some((range) => inRange(scheme, version, range))
}

describe('versions as assigners write them', () => {
  const cases: readonly {
    readonly name: string
    readonly versions: readonly StatedVersion[]
    readonly yes: readonly string[]
    readonly no: readonly string[]
  }[] = [
    {
      name: 'both ends in one field',
      versions: [affected('>= 7.0, < 7.2.5'), affected('< 6.2.14')],
      yes: ['7.0.0', '7.2.4', '6.2.13', '2.8'],
      no: ['7.2.5', '6.2.14', '6.9'],
    },
    {
      name: 'one end and one version',
      versions: [affected('<= 1.4'), affected('= 2.0.1')],
      yes: ['1.4', '2.0.1'],
      no: ['1.4.1', '2.0'],
    },
    {
      name: 'names of tags',
      versions: [affected('>= OTP-27.0-rc1, < OTP-27.3.3')],
      yes: ['27.3.2'],
      no: ['27.3.3', '26.9'],
    },
    { name: 'after a version', versions: [affected('> 2.0, <= v2.4')], yes: ['2.1', '2.4'], no: ['2.0', '2.5'] },
    { name: 'words are no range', versions: [affected('< the May update')], yes: [], no: ['1.0'] },
    {
      name: 'a fix of each branch as changes without an end',
      versions: [
        affected('1.11.4', {
          lessThan: '*',
          versionType: 'semver',
          changes: [
            { at: '1.27.4', status: 'unaffected' },
            { at: '1.26.3', status: 'unaffected' },
          ],
        }),
      ],
      yes: ['1.11.4', '1.26.2', '1.27.0', '1.27.3'],
      no: ['1.11.3', '1.26.3', '1.26.9', '1.27.4', '1.28.0'],
    },
    {
      name: 'a branch that begins with its fix',
      versions: [
        affected('1.19.0', {
          lessThan: '*',
          changes: [
            { at: '1.30.1', status: 'unaffected' },
            { at: '1.31.0', status: 'unaffected' },
          ],
        }),
      ],
      yes: ['1.30.0'],
      no: ['1.30.1', '1.31.0', '1.31.1'],
    },
    {
      name: 'several lines without a beginning',
      versions: ['8.0.40', '8.4.3', '9.1.0'].map((last) =>
        affected('*', { lessThanOrEqual: last, versionType: 'custom' }),
      ),
      yes: ['5.7.44', '8.0.40', '8.4.0', '8.4.3', '9.0.1', '9.1.0'],
      no: ['8.0.41', '8.4.4', '9.1.1'],
    },
    {
      name: 'letters of OpenSSL beside semver',
      versions: [
        affected('3.0.0', { lessThan: '3.0.19', versionType: 'semver' }),
        affected('1.1.1', { lessThan: '1.1.1ze', versionType: 'custom' }),
      ],
      yes: ['3.0.18', '1.1.1', '1.1.1w', '1.1.1zd'],
      no: ['3.0.19', '1.1.1ze', '1.1.0'],
    },
    {
      name: 'letters that are called semver',
      versions: [affected('8.5p1', { lessThan: '9.8p1', versionType: 'semver' })],
      yes: ['8.5p1', '9.7p1'],
      no: ['8.4p1', '9.8p1'],
    },
    {
      name: 'a branch as its first version',
      versions: [affected('8.2.*', { lessThan: '8.2.28', versionType: 'semver' })],
      yes: ['8.2.0', '8.2.27'],
      no: ['8.1.9', '8.2.28'],
    },
  ]
  it.each(cases)('$name', ({ versions, yes, no }) => {
    expect(yes.filter((version) => !isAffected(versions, version))).toEqual([])
    expect(no.filter((version) => isAffected(versions, version))).toEqual([])
  })
})

it.each([
  ['Apache Software Foundation', 'Apache HTTP Server', 'apache:http_server'],
  ['Apache Software Foundation', 'Apache Tomcat', 'apache:tomcat'],
  ['PHP Group', 'PHP', 'php:php'],
  ['OpenSSL', 'OpenSSL', 'openssl:openssl'],
  ['F5', 'NGINX Open Source', 'f5:nginx'],
  ['ISC', 'BIND 9', 'isc:bind'],
  ['Oracle Corporation', 'MySQL Server', 'oracle:mysql'],
  ['Python Software Foundation', 'CPython', 'python:python'],
  ['Wikimedia Foundation', 'MediaWiki', 'mediawiki:mediawiki'],
  ['Automattic', 'WordPress', 'wordpress:wordpress'],
  ['Jenkins Project', 'Jenkins', 'jenkins:jenkins'],
])('%s, %s is %s', (vendor, product, name) => {
  expect(dictionaryNames(vendor, product)).toContain(name)
})

it('a CPE that the assigner made up is the one of the dictionary as well', () => {
  const record = {
    dataType: 'CVE_RECORD',
    cveMetadata: { cveId: 'CVE-2025-21490', state: 'PUBLISHED' },
    containers: {
      cna: {
        affected: [
          {
            vendor: 'Oracle Corporation',
            product: 'MySQL Server',
            cpes: ['cpe:2.3:a:oracle:mysql_server:8.0.40_and_prior:*:*:*:*:*:*:*'],
            versions: [{ version: '*', lessThanOrEqual: '8.0.40', status: 'affected', versionType: 'custom' }],
          },
        ],
      },
    },
  }
  const [read] = [...parseCve5(record, 'CVE-2025-21490.json')]
  const keys = read && 'affected' in read ? read.affected.map(({ key }) => key) : []
  expect(keys).toEqual(['cpe:oracle:mysql_server', 'cpe:oracle:mysql'])
})
