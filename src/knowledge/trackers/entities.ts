/** Companies of domains outside of our own table, from the data of third-party-web (MIT). */
import thirdPartyWeb from 'third-party-web'
import type { VendorPurpose } from './vendor.ts'

/** Its categories in our words. What says nothing about a purpose is `other`. */
const PURPOSES: Readonly<Record<string, VendorPurpose>> = {
  ad: 'advertising',
  analytics: 'analytics',
  social: 'social',
  video: 'video',
  'tag-manager': 'tag-management',
  'consent-provider': 'consent',
  marketing: 'customer-data',
  'customer-success': 'chat',
  cdn: 'cdn',
}

export const entityOf = (
  host: string,
): { readonly name: string; readonly purposes: readonly VendorPurpose[] } | null => {
  const entity = thirdPartyWeb.getEntity(`https://${host.replace(/^\./, '')}/`)
  if (!entity) return null
  const purpose = PURPOSES[entity.categories?.[0] ?? ''] ?? 'other'
  return { name: entity.company || entity.name, purposes: [purpose] }
}
