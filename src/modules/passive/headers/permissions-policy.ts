import { type Dictionary, ParseError, parseDictionary, Token } from 'structured-headers'
import type { Page } from '../../../page/page.ts'
import { combined, valuesOf } from '../../../page/pages.ts'
import { documentsSeen } from '../../documents.ts'
import { posture } from '../../evidence/pages.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import { withoutDocuments } from '../site/facts-pages.ts'
import { sendHeader } from './remedy.ts'

const REFERENCES = [
  'https://www.w3.org/TR/permissions-policy/',
  'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Permissions-Policy',
  'https://www.rfc-editor.org/rfc/rfc9651',
  'https://cwe.mitre.org/data/definitions/693.html',
] as const
const common = { cwe: 693, group: 'browser-policy', references: REFERENCES } as const
const FIX = sendHeader('Permissions-Policy', 'camera=(), microphone=(), geolocation=(), payment=()')

const missing: FindingDefinition = {
  ...common,
  id: 'headers/permissions-policy-missing',
  title: 'Permissions-Policy missing',
  severity: 'info',
  why: 'Every script of the page may ask for camera, microphone or location. A policy closes what the site never uses.',
  remediation: FIX,
}

const invalid: FindingDefinition = {
  ...common,
  id: 'headers/permissions-policy-invalid',
  title: 'Permissions-Policy invalid: it cannot be read',
  severity: 'low',
  why:
    'The header is a structured field: one mistake, such as the syntax of the older Feature-Policy, and browsers ignore ' +
    'all of it.',
  remediation: `Write each feature as name=(allow list), separated by commas, origins in double quotes. ${FIX}`,
}

const broad: FindingDefinition = {
  ...common,
  id: 'headers/permissions-policy-broad',
  title: 'Permissions-Policy too broad: every site gets a powerful feature',
  severity: 'low',
  why: 'With * any frame in the page, of any origin, may ask for the feature in the name of this site.',
  remediation: `Replace * by (self) or by the origins that need it. ${FIX}`,
}

/** Features that show or move something of the visitor's own. */
const POWERFUL = [
  'bluetooth',
  'camera',
  'clipboard-read',
  'display-capture',
  'geolocation',
  'hid',
  'idle-detection',
  'local-network-access',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'serial',
  'storage-access',
  'usb',
  'window-management',
  'xr-spatial-tracking',
]

/** Which powerful features of the browser the page, and frames in it, may use. */
export const permissionsPolicy: Check<'headers', 'site'> = {
  findings: [missing, invalid, broad],
  judge: (facts, { site }) => {
    const none = withoutDocuments(site, facts)
    if (none) return none
    const judged = documentsSeen(site, facts).map((page) => ({ page, policy: permissionsOf(page) }))
    const options = { headers: ['permissions-policy'] }
    const absent = judged.filter(({ policy }) => policy === 'missing')
    const broken = judged.filter(({ policy }) => policy === 'invalid')
    const open = judged.flatMap(({ page, policy }) => {
      const features = policy instanceof Map ? POWERFUL.filter((name) => allowsAll(policy, name)) : []
      return features.length === 0
        ? []
        : [{ page, detail: `${page.url} allows every site ${features.join(', ')}.`, mark: `${features[0]}=` }]
    })
    return [
      ...posture(
        missing,
        absent.map(({ page }) => ({ page, detail: `${page.url} answers without Permissions-Policy.` })),
        options,
      ),
      ...posture(
        invalid,
        broken.map(({ page }) => {
          const value = combined(page.headers, 'permissions-policy') ?? ''
          return {
            page,
            detail: `${page.url} sends Permissions-Policy: ${value.slice(0, 300)}, which is no structured dictionary.`,
            mark: value,
          }
        }),
        options,
      ),
      ...posture(broad, open, options),
    ]
  },
}

const permissionsOf = (page: Page): Dictionary | 'missing' | 'invalid' => {
  if (valuesOf(page.headers, 'permissions-policy').length === 0) return 'missing'
  try {
    return parseDictionary((combined(page.headers, 'permissions-policy') ?? '').slice(0, 16_384))
  } catch (error) {
    if (error instanceof ParseError) return 'invalid'
    throw error
  }
}

/** `name=*`, or * among the members of an inner list. */
const allowsAll = (policy: Dictionary, name: string): boolean => {
  const value = policy.get(name)?.[0]
  const members = Array.isArray(value) ? value.map(([member]) => member) : [value]
  return members.some((member) => member instanceof Token && member.toString() === '*')
}
