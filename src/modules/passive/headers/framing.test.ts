import { judgeCases } from '../../testing/judge-cases.ts'
import { framing } from './framing.ts'
import { page, sends, unjudgedCases } from './testing/cases.ts'

judgeCases(framing, [
  ...unjudgedCases,
  { name: 'neither header on a plain page', ...sends({}), expect: ['headers/framing-missing-plain'] },
  { name: 'neither header on a sign-in page', ...sends({}, 'login'), expect: ['headers/framing-missing'] },
  {
    name: 'neither header, and a form',
    ...page({ body: '<form method=post></form>' }),
    expect: ['headers/framing-missing'],
  },
  {
    name: 'neither header, and a preference',
    ...sends({ 'Set-Cookie': 'lang=de' }),
    expect: ['headers/framing-missing-plain'],
  },
  {
    name: 'neither header, and a session',
    ...sends({ 'Set-Cookie': 'PHPSESSID=b' }),
    expect: ['headers/framing-missing'],
  },
  {
    name: 'an option beside nonsense',
    ...sends([
      ['X-Frame-Options', 'DENY'],
      ['X-Frame-Options', 'ALLOWALL'],
    ]),
    expect: ['headers/framing-conflicting'],
  },
  { name: 'option in lower case', ...sends({ 'x-frame-options': 'sameorigin' }), expect: [] },
  { name: 'frame-ancestors', ...sends({ 'Content-Security-Policy': "frame-ancestors 'self'" }), expect: [] },
  {
    name: 'frame-ancestors with no source is none',
    ...sends({ 'Content-Security-Policy': 'frame-ancestors' }),
    expect: [],
  },
  {
    name: 'report-only protects nothing',
    ...sends({ 'Content-Security-Policy-Report-Only': "frame-ancestors 'self'" }),
    expect: ['headers/framing-missing-plain'],
  },
  {
    name: 'frame-ancestors in a meta element',
    ...page({ body: `<head><meta http-equiv=content-security-policy content="frame-ancestors 'none'">` }),
    expect: ['headers/framing-missing-plain'],
  },
  {
    name: 'ALLOW-FROM',
    ...sends({ 'X-Frame-Options': 'ALLOW-FROM https://a.test' }),
    expect: ['headers/framing-invalid'],
  },
  {
    name: 'nonsense twice',
    ...sends([
      ['X-Frame-Options', 'ALLOWALL'],
      ['X-Frame-Options', 'ALLOWALL'],
    ]),
    expect: ['headers/framing-invalid'],
  },
  {
    name: 'sent twice alike',
    ...sends([
      ['X-Frame-Options', 'DENY'],
      ['X-Frame-Options', 'DENY'],
    ]),
    expect: [],
  },
  {
    name: 'sent twice with two values',
    ...sends([
      ['X-Frame-Options', 'DENY'],
      ['X-Frame-Options', 'SAMEORIGIN'],
    ]),
    expect: ['headers/framing-conflicting'],
  },
  {
    name: 'broad frame-ancestors overrides DENY',
    ...sends({ 'X-Frame-Options': 'DENY', 'Content-Security-Policy': 'frame-ancestors *' }),
    expect: ['headers/framing-broad'],
  },
  {
    name: 'second policy narrows it',
    ...sends({ 'Content-Security-Policy': "frame-ancestors https:, frame-ancestors 'self'" }),
    expect: [],
  },
])
