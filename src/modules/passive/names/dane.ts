import { isFailure } from '../../../protocols/dns/ask.ts'
import { readTlsa, showTlsa, tlsaFlaw, tlsaMatches } from '../../../protocols/dns/tlsa.ts'
import type { Check, Finding, FindingDefinition, Judgement } from '../../module.ts'
import { gapOf, ofAddresses } from '../tls/facts-addresses.ts'
import { placeOf, servedChains } from '../tls/facts-served.ts'

const unsigned: FindingDefinition = {
  id: 'names/dane-unsigned',
  title: 'DANE without DNSSEC: TLSA records of the site stand in an unsigned zone',
  severity: 'medium',
  cwe: 295,
  why: 'Without DNSSEC nobody may use them: the protection that they promise is not there.',
  remediation: 'Sign the zone and hand its DS record to the registrar, or remove the TLSA records.',
  references: ['https://www.rfc-editor.org/rfc/rfc6698#section-4.1', 'https://cwe.mitre.org/data/definitions/295.html'],
}

const mismatch: FindingDefinition = {
  ...unsigned,
  id: 'names/dane-mismatch',
  title: 'DANE mismatch: none of the TLSA records of the site fits its certificate',
  why: 'Clients that use DANE refuse the connection; mostly a certificate was renewed with a new key and the record forgotten.',
  remediation:
    'Publish `_443._tcp.<host> TLSA 3 1 1 <SHA-256 of the public key>` for the key in use, and keep that key when renewing.',
  references: ['https://www.rfc-editor.org/rfc/rfc7671#section-8'],
}

export const dane: Check<'names', 'site' | 'tls' | 'dns'> = {
  findings: [unsigned, mismatch],
  judge: ({ tlsa, tlsaSecurity }, { tls }): Judgement => {
    if (isFailure(tlsa))
      return { state: 'inconclusive', reason: `${tlsa.name} was not answered (${tlsa.rcode ?? tlsa.error}).` }
    const records = tlsa.records.flatMap(({ data }) => readTlsa(data) ?? [])
    if (records.length === 0)
      return { state: 'not_applicable', reason: `${tlsa.name} has no TLSA record, which is optional for web sites.` }
    const found = (definition: FindingDefinition, detail: string, more = ''): Finding => ({
      definition,
      confidence: 'confirmed',
      at: placeOf(tls),
      detail,
      proof: {
        excerpt: `${records.map(showTlsa).join('\n')}${more}`,
        mark: null,
        replay: `dig +dnssec TLSA ${tlsa.name}`,
      },
    })
    const { state, reason } = tlsaSecurity
    const findings =
      state === 'insecure' || state === 'bogus'
        ? [found(unsigned, `${tlsa.name} is ${state}: ${reason}.`, `\nDNSSEC: ${state}`)]
        : []
    const chains = servedChains(tls)
    if (chains.length === 0)
      return {
        state: 'not_applicable',
        reason: 'There is no certificate to compare with.',
        only: [mismatch.id],
        findings,
      }
    const usable = records.filter((record) => tlsaFlaw(record) === null)
    const unfit = chains.filter(({ sent }) => {
      const chain = sent.map(({ der }) => Buffer.from(der, 'base64'))
      return !usable.some((record) => tlsaMatches(record, chain))
    })
    // A root that is not sent may be what a record of usage 0 or 2 means.
    const open = unfit.length > 0 && usable.some(({ usage }) => usage === 0)
    const gap = gapOf(tls)
    if (open) {
      const reason = 'A record may stand for a root that the server does not send.'
      return ofAddresses(gap, { state: 'inconclusive', reason, only: [mismatch.id], findings }, [mismatch.id])
    }
    const mismatches = unfit.map(({ leaf, addresses }) => ({
      ...found(
        mismatch,
        `The certificate given by ${addresses.join(', ')} (SHA-256 ${leaf.sha256}) fits none of ${records.length} records.`,
        `\nSHA-256 ${leaf.sha256}`,
      ),
      subject: leaf.sha256,
    }))
    const all = [...findings, ...mismatches]
    const reasonOpen = `${tlsa.name} could not be validated: ${reason}.`
    return ofAddresses(
      gap,
      state === 'indeterminate'
        ? { state: 'inconclusive', reason: reasonOpen, only: [unsigned.id], findings: all }
        : all,
      [mismatch.id],
    )
  },
}
