/** The two proofs that come along with a certificate: timestamps of logs, and the stapled status. */

import type { CheckedTimestamp, Staple, StatusCheck } from '../../../protocols/tls/certificate/facts.ts'
import { CASE_TIME, judgeCases } from '../../testing/judge-cases.ts'
import { caseSite } from '../../testing/site-facts.ts'
import { certificateStatus } from './certificate-status.ts'
import { certificateTransparency } from './certificate-transparency.ts'
import { caseTls } from './testing/tls-facts.ts'

const DAY = 86_400_000
const known = { site: caseSite() }
const PRIVATE = caseTls({ result: { trust: { state: 'private', path: [0, 1], anchor: 'CN=Anchor' } } })
const logged = (logs: readonly string[], days: number) =>
  caseTls({
    leaf: {
      notBefore: CASE_TIME,
      notAfter: CASE_TIME + days * DAY,
      timestamps: logs.map((log) => ({ log, time: CASE_TIME })),
    },
  })

/** Checked timestamps: what they are worth, and the operator. */
const stamped = (...list: readonly (readonly [state: CheckedTimestamp['state'], operator: string | null])[]) =>
  caseTls({
    result: {
      timestamps: list.map(([state, operator], index) => ({
        source: 'certificate',
        log: `0${index}`,
        time: CASE_TIME,
        name: operator,
        operator,
        state,
      })),
    },
  })

judgeCases(certificateTransparency, [
  { name: 'two logs for 90 days', facts: logged(['01', '02'], 90), known, expect: [] },
  { name: 'two logs for 199 days', facts: logged(['01', '02'], 199), known, expect: ['tls/certificate-transparency'] },
  { name: 'the same log twice', facts: logged(['01', '01'], 90), known, expect: ['tls/certificate-transparency'] },
  {
    name: 'three of three operators',
    facts: stamped(['valid', 'A'], ['valid', 'B'], ['valid', 'C']),
    known,
    expect: [],
  },
  {
    name: 'three, one not signed by its log',
    facts: stamped(['valid', 'A'], ['valid', 'B'], ['invalid', 'C']),
    known,
    expect: ['tls/timestamp-invalid'],
  },
  {
    name: 'two, one of a log that was retired before',
    facts: stamped(['valid', 'A'], ['retired-log', 'B']),
    known,
    expect: ['tls/certificate-transparency'],
  },
  {
    name: 'two logs of one operator',
    facts: stamped(['valid', 'A'], ['valid', 'A']),
    known,
    expect: ['tls/certificate-transparency'],
  },
  {
    name: 'one listed, one of an unknown log',
    facts: stamped(['valid', 'A'], ['unknown-log', null]),
    known,
    expect: [],
  },
  { name: 'two of unknown logs', facts: stamped(['unknown-log', null], ['unknown-log', null]), known, expect: [] },
  { name: 'none embedded', facts: logged([], 90), known, expect: [], unjudged: 'inconclusive' },
  { name: 'private authority', facts: PRIVATE, known, expect: [], unjudged: 'not_applicable' },
])

const stapled = (status: Staple['status'], state: StatusCheck['state']) =>
  caseTls({ result: { staple: { status, revokedAt: null, checked: { state, why: 'because' } } } })

judgeCases(certificateStatus, [
  {
    name: 'good answer stapled',
    facts: caseTls({ result: { staple: { status: 'good', revokedAt: null } } }),
    known,
    expect: [],
  },
  {
    name: 'revoked answer stapled',
    facts: caseTls({ result: { staple: { status: 'revoked', revokedAt: CASE_TIME } } }),
    known,
    expect: ['tls/certificate-revoked'],
  },
  {
    name: 'must-staple without staple',
    facts: caseTls({ leaf: { mustStaple: true } }),
    known,
    expect: ['tls/must-staple-missing'],
    unjudged: 'not_tested',
  },
  ...(['forged', 'other', 'stale'] as const).map((state) => ({
    name: `a revoked answer that is ${state}`,
    facts: stapled('revoked', state),
    known,
    expect: ['tls/staple-unusable'],
    unjudged: 'not_tested' as const,
  })),
  { name: 'a good answer that is sound', facts: stapled('good', 'valid'), known, expect: [] },
  {
    name: 'a revoked one that is sound',
    facts: stapled('revoked', 'valid'),
    known,
    expect: ['tls/certificate-revoked'],
  },
  { name: 'no staple, none demanded', facts: caseTls(), known, expect: [], unjudged: 'not_tested' },
])
