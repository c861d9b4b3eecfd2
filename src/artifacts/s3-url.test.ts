import { describe, expect, test } from 'vitest'
import { parseS3Url } from './s3-url.ts'

describe('SONDE_STORAGE', () => {
  const plain = { endpoint: null, region: 'us-east-1', prefix: '', pathStyle: false, credentials: null }

  test.each([
    ['AWS', 's3://files', { ...plain, bucket: 'files' }],
    ['a region', 's3://files?region=eu-central-1', { ...plain, bucket: 'files', region: 'eu-central-1' }],
    [
      'another service',
      's3://files?endpoint=https://s3.example.test:9000',
      { ...plain, bucket: 'files', endpoint: 'https://s3.example.test:9000', pathStyle: true },
    ],
    [
      'another service with names before the host',
      's3://files?endpoint=https://s3.example.test&path_style=false',
      { ...plain, bucket: 'files', endpoint: 'https://s3.example.test' },
    ],
    ['a prefix', 's3://files?prefix=/a/b/', { ...plain, bucket: 'files', prefix: 'a/b/' }],
    ['a prefix as a path', 's3://files/a/b', { ...plain, bucket: 'files', prefix: 'a/b/' }],
  ])('%s', (_trick, url, expected) => {
    expect(parseS3Url(url)).toEqual(expected)
  })

  test.each([
    ['another scheme', 'http://files', /must look like/],
    ['no bucket', 's3://', /must look like|Invalid URL/],
    ['an unknown part', 's3://files?regoin=x', /unknown part "regoin"/],
    ['an endpoint without scheme', 's3://files?endpoint=localhost:9000', /endpoint must begin/],
    ['a prefix that climbs', 's3://files?prefix=a/../b', /Not an object key/],
  ])('%s is refused', (_trick, url, message) => {
    expect(() => parseS3Url(url)).toThrow(message)
  })
})
