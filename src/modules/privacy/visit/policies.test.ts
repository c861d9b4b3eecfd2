import { expect, test } from 'vitest'
import { isNamed } from './policies.ts'

test.each([
  ['by product', 'Pinterest Tag', 'Pinterest Europe Limited', 'we use the pinterest tag.', true],
  ['by brand', 'Pinterest Tag', 'Pinterest Europe Limited', 'with your consent we use pinterest.', true],
  ['by company', 'Hotjar', 'Hotjar Ltd.', 'recipient: hotjar ltd, malta', true],
  [
    'by company without its seat',
    'Meta Pixel',
    'Meta Platforms Ireland Limited',
    'data go to meta platforms, inc.',
    true,
  ],
  [
    'by what stands in brackets',
    'Cookiebot (Usercentrics)',
    'Usercentrics A/S',
    'our tool is made by usercentrics.',
    true,
  ],
  ['by domain', 'Acme Measure', null, 'a script of a.test is loaded.', true],
  ['a part of a word', 'Meta', null, 'we keep metadata.', false],
  ['not at all', 'Hotjar', 'Hotjar Ltd.', 'we use nothing.', false],
])('a vendor is named %s', (_name, name, entity, said, expected) => {
  expect(isNamed(name, entity, 'a.test', said)).toBe(expected)
})
