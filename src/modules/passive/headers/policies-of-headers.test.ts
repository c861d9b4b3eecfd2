import { judgeCases } from '../../testing/judge-cases.ts'
import { crossOriginEmbedderPolicy } from './cross-origin-embedder-policy.ts'
import { crossOriginOpenerPolicy } from './cross-origin-opener-policy.ts'
import { crossOriginResourcePolicy } from './cross-origin-resource-policy.ts'
import { deprecated } from './deprecated.ts'
import { permissionsPolicy } from './permissions-policy.ts'
import { referrerPolicy } from './referrer-policy.ts'
import { page, sends, unjudgedCases } from './testing/cases.ts'
import { xContentTypeOptions } from './x-content-type-options.ts'

judgeCases(xContentTypeOptions, [
  ...unjudgedCases,
  { name: 'absent', ...sends({}), expect: ['headers/x-content-type-options-missing'] },
  { name: 'any case', ...sends({ 'X-Content-Type-Options': 'NoSniff' }), expect: [] },
  { name: 'the first of a list counts', ...sends({ 'X-Content-Type-Options': 'nosniff, x' }), expect: [] },
  {
    name: 'nosniff only second',
    ...sends([
      ['X-Content-Type-Options', 'x'],
      ['X-Content-Type-Options', 'nosniff'],
    ]),
    expect: ['headers/x-content-type-options-invalid'],
  },
  {
    name: 'quoted',
    ...sends({ 'X-Content-Type-Options': '"nosniff"' }),
    expect: ['headers/x-content-type-options-invalid'],
  },
])

judgeCases(referrerPolicy, [
  ...unjudgedCases,
  { name: 'absent', ...sends({}), expect: ['headers/referrer-policy-missing'] },
  { name: 'private', ...sends({ 'Referrer-Policy': 'Strict-Origin' }), expect: [] },
  {
    name: 'unknown value falls back to the known before it',
    ...sends({ 'Referrer-Policy': 'no-referrer, future-value' }),
    expect: [],
  },
  {
    name: 'last known value counts',
    ...sends({ 'Referrer-Policy': 'no-referrer, unsafe-url' }),
    expect: ['headers/referrer-policy-unsafe'],
  },
  {
    name: 'over two lines',
    ...sends([
      ['Referrer-Policy', 'unsafe-url'],
      ['Referrer-Policy', 'same-origin'],
    ]),
    expect: [],
  },
  { name: 'nothing known', ...sends({ 'Referrer-Policy': 'none' }), expect: ['headers/referrer-policy-invalid'] },
  { name: 'meta element alone', ...page({ body: '<meta name=referrer content=no-referrer>' }), expect: [] },
  {
    name: 'meta element overrides',
    ...page({ headers: { 'Referrer-Policy': 'no-referrer' }, body: '<meta name=referrer content=always>' }),
    expect: ['headers/referrer-policy-unsafe'],
  },
])

judgeCases(permissionsPolicy, [
  ...unjudgedCases,
  { name: 'absent', ...sends({}), expect: ['headers/permissions-policy-missing'] },
  { name: 'closed', ...sends({ 'Permissions-Policy': 'camera=(), geolocation=(self "https://a.test")' }), expect: [] },
  {
    name: 'syntax of Feature-Policy',
    ...sends({ 'Permissions-Policy': "camera 'none'; microphone 'none'" }),
    expect: ['headers/permissions-policy-invalid'],
  },
  {
    name: 'trailing comma voids all',
    ...sends({ 'Permissions-Policy': 'camera=(),' }),
    expect: ['headers/permissions-policy-invalid'],
  },
  {
    name: 'star as the value',
    ...sends({ 'Permissions-Policy': 'camera=*' }),
    expect: ['headers/permissions-policy-broad'],
  },
  {
    name: 'star in the list',
    ...sends({ 'Permissions-Policy': 'geolocation=(self *)' }),
    expect: ['headers/permissions-policy-broad'],
  },
  { name: 'star for a harmless feature', ...sends({ 'Permissions-Policy': 'fullscreen=*' }), expect: [] },
])

judgeCases(crossOriginOpenerPolicy, [
  ...unjudgedCases,
  { name: 'absent', ...sends({}), expect: ['headers/cross-origin-opener-policy-missing'] },
  {
    name: 'with a report parameter',
    ...sends({ 'Cross-Origin-Opener-Policy': 'same-origin; report-to="x"' }),
    expect: [],
  },
  {
    name: 'in capitals',
    ...sends({ 'Cross-Origin-Opener-Policy': 'Same-Origin' }),
    expect: ['headers/cross-origin-opener-policy-invalid'],
  },
  {
    name: 'sent twice',
    ...sends([
      ['Cross-Origin-Opener-Policy', 'same-origin'],
      ['Cross-Origin-Opener-Policy', 'same-origin'],
    ]),
    expect: ['headers/cross-origin-opener-policy-invalid'],
  },
])

judgeCases(crossOriginEmbedderPolicy, [
  ...unjudgedCases,
  { name: 'absent is no fault', ...sends({}), expect: [] },
  { name: 'credentialless', ...sends({ 'Cross-Origin-Embedder-Policy': 'credentialless' }), expect: [] },
  {
    name: 'quoted',
    ...sends({ 'Cross-Origin-Embedder-Policy': '"require-corp"' }),
    expect: ['headers/cross-origin-embedder-policy-invalid'],
  },
])

judgeCases(crossOriginResourcePolicy, [
  ...unjudgedCases,
  { name: 'absent', ...sends({}), expect: ['headers/cross-origin-resource-policy-missing'] },
  { name: 'same-site', ...sends({ 'Cross-Origin-Resource-Policy': 'same-site' }), expect: [] },
  {
    name: 'in capitals',
    ...sends({ 'Cross-Origin-Resource-Policy': 'Same-Origin' }),
    expect: ['headers/cross-origin-resource-policy-invalid'],
  },
])

judgeCases(deprecated, [
  ...unjudgedCases,
  {
    name: 'none of them',
    ...sends({ 'X-XSS-Protection': '0', 'X-Permitted-Cross-Domain-Policies': 'none' }),
    expect: [],
  },
  {
    name: 'filter in block mode',
    ...sends({ 'X-XSS-Protection': '1; mode=block' }),
    expect: ['headers/x-xss-protection-enabled'],
  },
  {
    name: 'pins',
    ...sends({ 'Public-Key-Pins': 'max-age=1', 'Expect-CT': 'max-age=1' }),
    expect: ['headers/deprecated-headers'],
  },
  {
    name: 'any policy file',
    ...sends({ 'X-Permitted-Cross-Domain-Policies': 'All' }),
    expect: ['headers/cross-domain-policies-all'],
  },
])
