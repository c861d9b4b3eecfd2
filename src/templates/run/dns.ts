/** Runs a dns step: one question about the target's names, its answer in the words of zone files. */
import type { DnsAnswer, DnsType } from '../../egress/door/egress.ts'
import { recordText } from '../../protocols/dns/record-text.ts'
import type { DnsStep } from '../language/template.ts'
import { answerOf, type Executor, StepSkipped } from './executor.ts'
import { nameOf } from './own-host.ts'

const TYPES: readonly DnsType[] = ['A', 'AAAA', 'CAA', 'CNAME', 'DS', 'MX', 'NS', 'PTR', 'SOA', 'SRV', 'TLSA', 'TXT']

/** RFC 1035, 4.1.1, and RFC 2136. */
const CODES = [
  ...['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED'],
  ...['YXDOMAIN', 'YXRRSET', 'NXRRSET', 'NOTAUTH', 'NOTZONE'],
]

export const runDns: Executor<DnsStep> = async (step, run) => {
  const type = TYPES.find((one) => one === step.type)
  if (type === undefined)
    throw new StepSkipped(`questions for records of type ${step.type} are refused by most servers`, 'policy')
  const name = nameOf(run, run.fill(step.name))
  const answer = await run.egress.dns({ name, type, recursive: step.recursion })
  const request = `;${name}.\tIN\t ${type}`
  const raw = messageText(answer, request)
  const lines = (records: DnsAnswer['answers']): string => records.map(recordText).join('\n')
  const seen = answerOf(
    {
      raw,
      request,
      question: request,
      rcode: CODES.indexOf(answer.rcode),
      answer: lines(answer.answers),
      ns: lines(answer.authorities),
      extra: lines(answer.additionals),
      host: name,
      matched: name,
      type: 'dns',
    },
    run.text,
    { body: 'raw', all: 'raw', response: 'raw' },
  )
  const shown = { at: { host: name }, request, response: raw }
  return run.judge(step.operators, seen, shown).matched
}

/**
 * As dig and its kin show a message, but with the question at its end: a pattern like `IN\s+CAA\s+(.+)`, written for an
 * answer, would find the question and whatever stands behind it.
 */
const messageText = (
  { rcode, authoritative, answers, authorities, additionals }: DnsAnswer,
  question: string,
): string => {
  const flags = ['qr', ...(authoritative ? ['aa'] : []), 'rd', 'ra'].join(' ')
  const section = (title: string, records: DnsAnswer['answers']): readonly string[] =>
    records.length === 0 ? [] : [`\n;; ${title} SECTION:`, ...records.map(recordText)]
  return [
    `;; opcode: QUERY, status: ${rcode}`,
    `;; flags: ${flags}; QUERY: 1, ANSWER: ${answers.length}, AUTHORITY: ${authorities.length}, ADDITIONAL: ${additionals.length}`,
    ...section('ANSWER', answers),
    ...section('AUTHORITY', authorities),
    ...section('ADDITIONAL', additionals),
    '\n;; QUESTION SECTION:',
    question,
  ].join('\n')
}
